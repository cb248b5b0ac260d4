"""The README and the pages of docs/ are true: code runs, links lead somewhere, made pages are up to date, the site builds."""

import ast
import asyncio
import importlib.util
import inspect
import json
import lzma
import re
import shlex
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from every import check_every

import pliant
from pliant.cli.main import COMMANDS, parser

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = dict(pliant._public())
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
ALL = [*PAGES, *sorted((ROOT / "docs" / "examples").glob("*.md")), *sorted((ROOT / "docs" / "api").glob("*.md"))]
SHELL = ("sh", "bash", "console")
PEERS = ("sofa", "newton", "mujoco")  # the second word of a fence whose code is not ours


def fences(page: Path) -> list[tuple[str, str]]:
    """(language and what follows it, text) of every block of code, also of those in lists."""
    found = re.findall(r"^( *)```([^\n`]*)\n(.*?)^\1```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [(word.strip(), textwrap.dedent(text)) for _, word, text in found]


def blocks(page: Path, language: str) -> list[str]:
    return [text for word, text in fences(page) if word == language]


def imported(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make():
    return imported("docs_make", ROOT / "docs" / "make.py")


def test_every_block_says_what_it_is():
    """A block whose language no test knows would go unchecked."""
    peers = {f"{kind} {peer}" for peer in PEERS for kind in ("python", "xml")}
    known = {"python", "ipython", "toml", *SHELL, "text", "{eval-rst}", *peers}

    def check(page: Path) -> None:
        assert {word for word, _ in fences(page)} <= known

    check_every(ALL, check)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.stem)
def test_code_of_page_runs(page, tmp_path, monkeypatch):
    """All blocks of a page are one module, kept as a file since kernels are compiled from their source."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / f"page_{page.stem}.py"
    source.write_text("\n\n".join(blocks(page, "python")), encoding="utf-8")
    names = vars(imported(source.stem, source))

    async def cell(text: str) -> None:
        from pliant.view.notebook_kernel import Widget

        exec(compile(text, str(page), "exec"), names)
        for made in [m for m in names.values() if isinstance(m, Widget)]:
            made.close()

    for text in blocks(page, "ipython"):  # cells of a notebook, which has an event loop of its own
        asyncio.run(cell(text))


def test_scene_files_of_pages_are_read(tmp_path):
    from pliant.cli.inputs.scene_file import read_scene

    def check(page: Path) -> None:
        for i, text in enumerate(blocks(page, "toml")):
            file = tmp_path / f"{page.stem}_{i}.toml"
            file.write_text(text, encoding="utf-8")
            assert read_scene(file).scene.bodies

    check_every([page for page in PAGES if blocks(page, "toml")], check)


def commands(page: Path) -> list[str]:
    """Every ``pliant …`` line of a page, in blocks for the shell and between backquotes."""
    text = page.read_text(encoding="utf-8")
    plain = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for shell in SHELL for text in blocks(page, shell) for line in text.replace("\\\n", " ").splitlines()]
    lines += [" ".join(span.split()) for span in re.findall(r"`(pliant [^`]+)`", plain)]
    found = (re.match(r"(?:\$ )?(?:\.venv/bin/)?(pliant(?: .*)?)$", line.strip()) for line in lines)
    return [re.split(r" (?:#|&&|;|>|\|) ?", fit[1])[0] for fit in found if fit]


def test_commands_of_pages_are_understood():
    check_every([page for page in ALL if commands(page)], check_commands)


def check_commands(page: Path) -> None:
    for line in commands(page):
        words = [w for w in shlex.split(line)[1:] if w != "…"]
        if len(words) == 1 and words[0] in COMMANDS:
            continue  # a mention of the command
        if words and words[0] in COMMANDS and not {"--help", "-h"} & set(words):
            assert parser().parse_args(words).command == words[0], line
        else:
            assert not words or words[0].startswith("-") or {"--help", "-h"} & set(words), f"no such command: {line}"


def test_code_of_others_is_what_was_run():
    """Snippets of other simulators are read, and are the lines of the files that were run."""
    page = ROOT / "docs" / "coming_from.md"
    seen = set()
    for word, text in fences(page):
        peer = word.partition(" ")[2]
        if peer not in PEERS:
            continue
        seen.add(peer)
        if word.startswith("xml"):
            assert ET.fromstring(text).tag == "mujoco"
        else:
            ast.parse(text)
        whole = (ROOT / "benchmarks" / "peers" / f"{peer}_beam.py").read_text(encoding="utf-8")
        lines = {line.strip() for line in whole.splitlines()}
        assert [line for line in text.splitlines() if line.strip() not in lines] == []
    assert seen == set(PEERS)
    for file in (ROOT / "benchmarks" / "peers").glob("*.py"):
        compile(file.read_text(encoding="utf-8"), file.name, "exec")


def test_what_a_stranger_adds_is_short():
    """The law, effect, element, solver and scheme of the page on extending, and the kernels of one energy."""
    lengths = {}
    for text in blocks(ROOT / "docs" / "extend.md", "python"):
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                lengths[node.name] = node.end_lineno - first + 1
    assert {"Hencky", "Turning", "Spin", "Bricks", "ConjugateGradient", "GeneralisedAlpha"} <= set(lengths)
    assert lengths["Bricks"] <= 40 and lengths["Spin"] <= 30
    assert lengths["Hencky"] <= 33 and max(lengths.values()) <= 40


def test_links_of_pages_lead_somewhere():
    check_every(ALL, check_links)


def check_links(page: Path) -> None:
    text = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", lambda m: m[0].replace("]", "").replace("[", ""), text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith("http"):
            name, _, anchor = target.partition("#")
            found = (page.parent / name).resolve() if name else page
            assert found.exists(), f"{page.name} links to {target}"
            if anchor:
                heads = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = [re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in heads]
                assert anchor in anchors, f"{page.name} links to {target}"


def test_made_pages_are_up_to_date(make):
    """All but the list of law tests, which follows them at the next ``make docs``."""
    for path, text in make.pages().items():
        if path.name != "validation.md":
            assert path.read_text(encoding="utf-8").rstrip() == text.rstrip(), f"run make docs: {path.name} is old"


def test_drawn_pictures_are_up_to_date(make):
    """Charts of benchmarks/results and the picture of the folders are those of today's files."""
    for path, text in make.drawn().items():
        assert path.read_text(encoding="utf-8").rstrip() == text.rstrip(), f"run make docs: {path.name} is old"


def test_picture_of_the_folders_has_them_all(make):
    text = (ROOT / "docs" / "pictures" / "flow.svg").read_text(encoding="utf-8")
    folders = {p.name for p in (ROOT / "src" / "pliant").iterdir() if p.is_dir() and any(p.glob("*.py"))}
    left = {name for name in folders - {"namespaces"} if f">{name}</text>" not in text and f" {name}/" not in text}
    assert "view" in folders and not left
    assert "energy" in make.flow.imports("solve") and "solve" not in make.flow.imports("energy")


def test_reference_has_every_public_name(make):
    on_pages = []
    for page in (ROOT / "docs" / "api").glob("*.md"):
        for block in page.read_text(encoding="utf-8").split(".. currentmodule:: pliant")[1:]:
            space = block.splitlines()[0].lstrip(".")
            found = re.findall(
                r"^\.\. (?:auto(?:class|function|exception|module)|py:data):: (?:pliant\.[\w.]*)?\b(\w+)$",
                block,
                re.MULTILINE,
            )
            on_pages += [f"{space}.{name}".lstrip(".") for name in found]
    names = sorted([*PUBLIC, *(f"extend.{name}" for name in pliant.extend.__all__)])
    assert sorted(on_pages) == names, "run make docs: a public name is on no page of docs/api, or on two"
    assert sorted(name for names in make.api.groups().values() for name in names) == names


def test_public_verbs_say_what_they_do():
    """Methods and properties that a class defines itself appear in the reference, so each has a sentence."""
    check_every([name for name, thing in PUBLIC.items() if isinstance(thing, type)], check_verbs)


def check_verbs(name: str) -> None:
    own = {k: v for k, v in vars(PUBLIC[name]).items() if not k.startswith("_")}
    verbs = {k: v for k, v in own.items() if inspect.isfunction(v) or isinstance(v, property | classmethod | staticmethod)}
    assert [k for k in verbs if not (inspect.getdoc(verbs[k]) or inspect.getdoc(getattr(PUBLIC[name], k)))] == []


FEW = [n for n in pliant.material.__all__ if n != "VolumePreservation"]  # whose kernel takes long to compile


@pytest.mark.parametrize("name", [*FEW, pytest.param("VolumePreservation", marks=pytest.mark.slow)])
def test_charts_of_laws_lie_on_their_curves(make, name):
    _, simulated, by_hand = make.laws.compared(name, count=3)
    assert make.laws.deviation(simulated, by_hand) < 1e-6


def test_readme_code_is_short():
    lines = [line for block in blocks(ROOT / "README.md", "python") for line in block.splitlines() if line.strip()]
    assert 0 < len(lines) <= 15


def test_readme_leads_to_every_page_in_two_steps():
    """From the README to the index, and from there to any page."""
    assert "docs/index.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [p.relative_to(ROOT / "docs").as_posix() for p in PAGES[1:]]
    assert [p for p in pages if p != "index.md" and f"]({p}" not in index] == []


def test_pictures_are_small():
    sizes = {p.name: p.stat().st_size for p in (ROOT / "docs" / "pictures").iterdir()}
    assert sizes.pop("pliant.png") <= 2_500_000
    assert {name: size for name, size in sizes.items() if size > 250_000} == {}


def test_stored_replays_and_moving_pictures_are_small_and_pages_ask_for_no_others(make):
    replays = make.replays
    assert {p.stem for p in replays.STORED.iterdir()} == set(replays.CHOSEN)
    kept = [p.stat().st_size for n in replays.CHOSEN for p in (replays.STORED / f"{n}.xz", replays.picture(n))]
    assert sum(kept) <= 2_000_000
    asked = [name for page in ALL for name in replays.MARK.findall(page.read_text(encoding="utf-8"))]
    assert set(asked) == set(replays.CHOSEN) and asked.count("bowl_of_jelly") == 2  # on the first page as well
    for name in replays.CHOSEN:  # animated: the chunk comes before the first picture's data
        head = replays.picture(name).read_bytes()[:2000]
        assert 0 < head.find(b"acTL") < head.find(b"IDAT")


def test_marks_on_pages_become_frames_on_the_site(make, tmp_path):
    text = "a\n\n<!-- replay: gripper -->\n\n`<!-- replay: gripper -->`\n"
    framed = make.replays.framed(text, "../")
    assert framed.count('src="../replays/gripper.html"') == 1 and "`<!-- replay: gripper -->`" in framed
    make.replays.write_pages(tmp_path)
    for name in make.replays.CHOSEN:
        page = (tmp_path / "replays" / f"{name}.html").read_text(encoding="utf-8")
        assert f"<title>{make.replays.title(name)}</title>" in page and len(page) < 2_000_000
    assert make.site.faults(tmp_path) == []


def test_stored_replays_are_coded_as_pages_are_now(make, tmp_path):
    """Or else the viewer's script of now could not read them: run docs/make.py replays."""
    from runs import swinging_run

    def described(path: Path) -> dict:
        about = json.loads(lzma.decompress(path.read_bytes()).partition(b"\n")[0])
        chapter = about["chapters"][0]
        scene = chapter["scene"]
        kinds = {re.sub(r"(field \d+ ).*|:?\d+", r"\1", name): kind for name, (_, kind, _) in about["sections"].items()}
        return {
            "about": set(about), "chapter": set(chapter), "scene": set(scene), "replay": set(scene["replay"]),
            "body": set(scene["bodies"][0]), "kinds": kinds,
        }  # fmt: skip

    now = described(make.replays.store("bowl_of_jelly", swinging_run(), tmp_path))
    for name in make.replays.CHOSEN:
        stored = described(make.replays.STORED / f"{name}.xz")
        assert {n: stored[n] for n in stored if n != "kinds"} == {n: now[n] for n in now if n != "kinds"}, name
        assert all(now["kinds"].get(n, kind) == kind for n, kind in stored["kinds"].items()), name


@pytest.mark.slow
def test_site_builds_with_every_link_and_nothing_from_elsewhere(make, tmp_path):
    """Sphinx takes warnings for errors; then every link, anchor and fetched file of the pages is looked up."""
    pytest.importorskip("furo", reason="the generator is the extra pliant[docs]")
    kept = lambda: {p: p.stat().st_mtime_ns for p in (ROOT / "docs").rglob("*") if p.is_file() and p.suffix != ".pyc"}
    before = kept()
    make.site.build(tmp_path / "site")
    assert kept() == before  # nothing that is tracked is touched
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<math" in index
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 10_000
    reference = "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "site" / "api").glob("*.html"))
    assert [n for n in PUBLIC if f'id="pliant.{n}"' not in reference] == []


def test_faults_of_a_site_are_found(make, tmp_path):
    (tmp_path / "a.html").write_text(
        '<h1 id="top"></h1><a href="#top"></a><a href="b.html"></a><a href="#none"></a><a href="https://example.org"></a>'
        '<script src="https://example.org/x.js"></script><link rel="stylesheet" href="//example.org/x.css">',
        encoding="utf-8",
    )
    (tmp_path / "x.css").write_text('@import "https://example.org/y.css"; a { background: url(//example.org/z.png) }')
    found = "\n".join(make.site.faults(tmp_path))
    for part in (
        "b.html, which is not there",
        "#none, which has no such heading",
        "x.js",
        "org/x.css",
        "y.css",
        "z.png",
    ):
        assert part in found
    assert found.count("\n") == 5 and "#top" not in found


def test_unknown_part_of_the_docs_is_named():
    make = imported("docs_make_again", ROOT / "docs" / "make.py")
    with pytest.raises(SystemExit, match="unknown part 'pagse'"):
        make.main(["pagse"])
    assert str(ROOT / "docs") in sys.path


def test_files_that_pages_name_exist():
    """`energy/clamp/nitsche_clamp.py` and the like, from the root or from the package."""
    check_every(PAGES, check_named_files)


def check_named_files(page: Path) -> None:
    roots = (ROOT, ROOT / "src" / "pliant")
    named = re.findall(r"`([\w./]+/[\w.]+\.py)`", page.read_text(encoding="utf-8"))
    missing = [name for name in named if not any((root / name).exists() for root in roots)]
    assert not missing, f"{page.name} names {missing}"


def test_names_of_the_glossary_are_there():
    """Public names, as they stand in code; ``sim`` is a simulation. Files are looked for with those of all pages."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    names = [name for name in re.findall(r"`(\w[\w.]*)", text) if not name.endswith(".py") and f"`{name}/" not in text]
    missing = []
    for name in names:
        thing = pliant
        for part in name.replace("sim.", "Simulation.").split("."):
            thing = getattr(thing, part, None)
        missing += [name] if thing is None else []
    assert len(names) > 50 and not missing
