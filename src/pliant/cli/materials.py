"""List the material laws with their parameters, units and bounds, and the presets.

A preset is a material of daily life, by its name in scene files and in Python: pl.preset("liver").
"""

from __future__ import annotations

import argparse
import math
from typing import Any

from .common.terminal import print_json, print_table, start

EXAMPLE = "pliant materials"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="one law, such as StableNeoHookean (default: all)")


def run(args: argparse.Namespace) -> int:
    start()
    from .. import material
    from ..errors import InputError, did_you_mean

    names = material.__all__
    if args.name is not None:
        if args.name not in names:
            near = did_you_mean(args.name, names)
            raise InputError(f"there is no law {args.name!r}{near}; expected one of {', '.join(names)}")
        names = [args.name]
    laws = [_law(getattr(material, name)) for name in names]
    if args.json:
        print_json(laws)
        return 0
    rows = []
    for law in laws:
        for i, p in enumerate(law["parameters"]):
            bounds = f"{p['lower']:g} {p['sign']} {p['name']} {p['sign']} {p['upper']:g}" if p["bounded"] else ""
            default = "" if p["default"] is None else f"{p['default']}"
            rows.append(("" if i else law["name"], p["name"], default, p["unit"], bounds, p["meaning"]))
    print_table(("law", "parameter", "default", "unit", "bounds", "meaning"), rows)
    if args.name is None:
        from ..material.laws.presets import PRESETS

        print()
        kinds = [(n, f"{p.young:g}", f"{p.poisson:g}", f"{p.density:g}", p.source) for n, p in PRESETS.items()]
        print_table(("preset", "young [Pa]", "poisson", "density [kg/m³]", "where it comes from"), kinds)
    if args.name is not None:
        print(laws[0]["about"])
    return 0


def _law(law: type) -> dict[str, Any]:
    """Name, first sentence and parameters of a law."""
    import dataclasses

    about = " ".join((law.__doc__ or "").split("\n\n")[0].split())
    parameters = []
    for item in dataclasses.fields(law):
        known = law.PARAMETERS.get(item.name)  # type: ignore[attr-defined]
        default = None if item.default is dataclasses.MISSING else item.default
        parameters.append(
            {
                "name": item.name,
                "default": default,
                "required": item.default is dataclasses.MISSING,
                "unit": known.unit if known else "",
                "meaning": known.meaning if known else "see the law's page",
                "bounded": known is not None,
                "lower": known.lower if known else -math.inf,
                "upper": known.upper if known else math.inf,
                "sign": "<" if known is None or known.open else "≤",
            }
        )
    return {"name": law.__name__, "about": about, "parameters": parameters}
