"""Run ``pliant bench contact`` and keep what it finds for the docs: python benchmarks/contact_scale.py MACHINE [KEY=VALUE …]

MACHINE names the record in benchmarks/results/contact_scale.json, such as arm_2_cores, and ``--words`` says it in words. Scenes
of the same name, size and response are replaced, one by one as they are done; all run, at the sizes below, unless told.
"""

import argparse
import ast
import json
import platform
import time
from pathlib import Path

from machine import commit

from pliant.bench import contact

RESULTS = Path(__file__).parent / "results" / "contact_scale.json"
SIZES = {
    "cpu": {"cloth": "2x12,5x20", "pile": "4x2,25x2", "arch": "7x103,7x97", "cards": "102,98", "random": "0-5"},
    "cuda": dict.fromkeys(contact.SCENES, "all") | {"random": "0-99"},
}


def value(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def keep(known: dict) -> None:
    RESULTS.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("machine")
    parser.add_argument("options", nargs="*", metavar="KEY=VALUE")
    parser.add_argument("--words", default=platform.platform(), help="what to call this machine in the docs")
    asked = parser.parse_intermixed_args()
    given = {key: value(text) for key, _, text in (option.partition("=") for option in asked.options)}
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    record = known.setdefault(asked.machine, {"scenes": {}})
    about = {"machine": asked.words, "precision": given.get("precision", "f64"), "date": time.strftime("%Y-%m-%d")}
    about["commit"] = commit()
    for scene in str(given.pop("scene", "") or ",".join(contact.SCENES)).split(","):
        sizes = SIZES["cuda" if given.get("device", "cpu") != "cpu" else "cpu"]
        options = {"scene": scene, "size": sizes.get(scene, "")} | given
        before = ""
        for name, number, _ in contact.run(**options):
            label, what = name.split(": ", 1)
            if label != before:
                keep(known)
                before, record["scenes"][label] = label, dict(about)
            record["scenes"][label][what] = number
            print(label, what, number, flush=True)
        keep(known)


if __name__ == "__main__":
    main()
