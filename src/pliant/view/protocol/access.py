"""Access control of requests: token, Host and Origin."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from ...errors import InputError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://{host} "
    "wss://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253})(:\d{1,5})?")


def check_port(port: object) -> None:
    """Refuse what is no port."""
    if port is not None and (isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 65536):
        raise InputError(f"view(port={port!r}): expected a whole number 0 … 65535, or None for a free one")


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Door:
    """Checks requests to a server bound to ``host`` with the secret ``token``.

    A name that is not ours in Host means that somebody's DNS points at us, a foreign Origin that another page asks:
    both are refused. The token is needed wherever the server can be reached from other machines, and must be right
    where given.
    """

    def __init__(self, host: str, token: str):
        self.host, self.token, self.open = host, token, is_loopback(host)

    def refusal(self, path: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Status and reason where a request is refused, None where it may pass."""
        try:
            tokens = parse_qs(urlsplit(path).query).get("token", [])
        except ValueError:  # an address such as //[
            return 400, "the address cannot be read"
        # first of all the token: who has none gets no word of theirs into the log
        if not tokens and not self.open:
            return 401, "the token is missing"
        if tokens and not (len(tokens) == 1 and hmac.compare_digest(tokens[0].encode("utf-8", "replace"), self.token.encode())):
            return 401, "the token is wrong"
        hosts = _all(headers, "Host")
        given = hosts[0] if len(hosts) == 1 else ""
        match = _HOST.fullmatch(given)
        if match is None or not self._ours(match[1].strip("[]").lower()):
            return 403, f"the Host {given[:80]!a} is not this server"
        for origin in _all(headers, "Origin"):
            if origin.lower() not in (f"http://{given.lower()}", f"https://{given.lower()}"):
                return 403, f"the Origin {origin[:80]!a} is another page"
        return None

    def _ours(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        own = {socket.gethostname().lower(), socket.gethostname().split(".")[0].lower() + ".local"}
        return not self.open and (_is_address(name) or name in own)


def _all(headers: Mapping[str, str], name: str) -> list[str]:
    values = headers.get_all(name) if hasattr(headers, "get_all") else [headers[name]] if name in headers else []
    return list(values)


def safe_headers(host: str) -> dict[str, str]:
    """Headers of every answer: nothing from elsewhere, nothing to elsewhere, nothing kept."""
    return {
        "Content-Security-Policy": POLICY.format(host=host),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
