"""Where Chromium is. As a program: install it where that can be done without asking, and say what is skipped otherwise."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def found() -> str | None:
    """The browser to use: that in PLIANT_CHROMIUM, or the first known name on the path."""
    named = os.environ.get("PLIANT_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def rights() -> list[str] | None:
    """What to put before apt-get: nothing for root, sudo where it asks for no password, None where there is no way."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    free = shutil.which("sudo") and subprocess.run([*sudo, "true"], capture_output=True).returncode == 0
    return sudo if free else None


def install() -> str:
    """Install the Debian package; returns why it is not there afterwards, or nothing."""
    before = rights()
    if before is None:
        return "it can be installed only as root on Debian and its kin"
    print("Installing Chromium for the browser tests (about 400 MB, once) …", flush=True)
    quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "capture_output": True, "text": True}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        done = subprocess.run([*before, "apt-get", *step], **quiet)
        if done.returncode:
            return f"apt-get {step[0]} said: {' '.join(done.stderr.split())[-200:]}"
    return "" if found() else "apt-get installed none of the known names"


def main() -> int:
    why = "" if found() else install()
    if why:
        print(
            "No Chromium, so the tests of the pages in a browser are skipped: install Chromium or Chrome, or set "
            f"PLIANT_CHROMIUM to its program ({why})."
        )
    return 1 if why and os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
