"""The catalogues agree with each other and with the code: no text is missing, none is spare."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Final

import polib
import pytest

from engine.rules import BUILT_IN, RULE_SETS
from engine.rules.base import RuleSet
from engine.texts.catalogue import texts_for as said_by_the_engine
from engine.texts.files import LANGUAGES, base_of, gaps, read_texts
from engine.tiles import CODES
from service.texts.catalogue import CLUB, OURS, texts_for, texts_of
from service.texts.option_groups import GROUPS, group_of
from service.texts.pages import ON_PAGES, catalogue_script
from tests.support.browsing import PROPER_NAMES
from tests.support.paths import ROOT, static_files

COMMON: Final = ("engine", *OURS, *CLUB)
PACKAGES: Final = (*dict.fromkeys(rules.texts for rules in RULE_SETS.values()), *COMMON)
WRITERS: Final = ("service", "engine/texts")
"""Folders of the code that says texts."""
LIMITS: Final = {"2000", "3000", "4000", "6000", "8000", "16000", "24000"}
NOT_SPELLED: Final = {*CODES, "?", *"mpszf", *"0123456789", *LIMITS}
"""Names of tiles, their suits and ranks, and limits of base points, which code puts together."""
OFFENCES: Final = {"false_set", "discard_out_of_turn", "two_discards"}
"""What only people name."""
OF_COMMANDS: Final = re.compile(r"(?:cli|command|help)\.[a-z_.0-9]*[a-z0-9]")
"""Texts that commands and options name as their help."""

every_package = pytest.mark.parametrize("package", PACKAGES)
COMPLETE: Final = [lang for lang in LANGUAGES if base_of(lang) is None]
VARIANTS: Final = [lang for lang in LANGUAGES if base_of(lang) is not None]

every_language = pytest.mark.parametrize("lang", COMPLETE)


def folder(package: str) -> Path:
    return ROOT.joinpath(*package.split(".")) / "texts"


@every_package
@every_language
def test_a_file_holds_every_text_with_the_gaps_of_the_english_one(package: str, lang: str) -> None:
    entries = polib.pofile(str(folder(package) / f"{lang}.po"), check_for_duplicates=True)
    assert [entry.msgid for entry in entries if not entry.msgstr or entry.fuzzy] == []
    english, words = read_texts(package, "en"), read_texts(package, lang)
    assert english.keys() == words.keys()
    assert [key for key, text in words.items() if gaps(text) != gaps(english[key])] == []


@every_package
@pytest.mark.parametrize("lang", VARIANTS)
def test_a_variant_holds_what_it_says_otherwise(package: str, lang: str) -> None:
    base = texts_of(base_of(lang) or "en")
    for key, text in read_texts(package, lang).items():
        own = base.get(key) or base[key.rpartition(":")[2]]
        assert gaps(text) == gaps(own), key
        # A rule set's own word may be the common one again, where the variant changes that.
        assert text != own or ":" in key, key


def test_every_folder_has_a_file_for_every_language() -> None:
    for package in PACKAGES:
        files = {file.stem for file in folder(package).glob("*.po")}
        assert set(COMPLETE) <= files <= set(LANGUAGES)
    assert VARIANTS == ["en-native"]


def test_games_are_told_in_the_terms_of_their_own_tongue() -> None:
    said = {rules: texts_for(rules, "en-native")["claim.pung"] for rules in ("riichi", "hangzhou")}
    assert said == {"riichi": "pon{seat: by %|}", "hangzhou": "peng{seat: by %|}"}
    assert texts_of("en-native")["item.tanyao"] == "tanyao"
    assert texts_of("en-native")["page.language"] == texts_of("en")["page.language"]


def test_no_text_stands_in_two_folders() -> None:
    for one, other in combinations(PACKAGES, 2):
        assert read_texts(one, "en").keys() & read_texts(other, "en").keys() == set()


def without_gaps(text: str) -> str:
    return "".join(literal for literal, _, _, _ in Formatter().parse(text))


@pytest.mark.parametrize(("lang", "foreign"), [("zh", "[A-Za-z\u3040-\u30ff]"), ("ja", "[A-Za-z]")])
def test_no_text_was_left_in_another_language(lang: str, foreign: str) -> None:
    left = {
        key: text
        for key, text in texts_of(lang).items()
        if re.search(foreign, PROPER_NAMES.sub("", without_gaps(text)))
        and key not in ("language.tag", "language.voice")
    }
    assert left == {}


def test_chinese_is_written_in_simplified_characters() -> None:
    # What the two scripts write differently, among the characters of these texts.
    traditional = "萬發東聽門開槓順對張點單風莊數無報贏寶財飄連棄亂後過還邊雙違規實際條時牆輪結"
    assert not set("".join(texts_of("zh").values())) & set(traditional)


# --- What code uses ---


@cache
def sources(*under: str) -> tuple[ast.Module, ...]:
    """Python files, and those in folders, parsed."""
    given = [ROOT / each for each in under]
    paths = [file for each in given for file in sorted(each.rglob("*.py")) or [each]]
    return tuple(ast.parse(path.read_text("utf-8")) for path in paths)


@cache
def spelled(*under: str) -> frozenset[str]:
    """Every string that the code spells out, and the words of its tables."""
    tables = (file.read_text("utf-8") for each in under for file in (ROOT / each).rglob("*.toml"))
    return frozenset(word for table in tables for word in re.findall(r"\w+", table)) | {
        node.value
        for tree in sources(*under)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@cache
def in_templates() -> frozenset[str]:
    """Every text that a page written as a file asks for."""
    pages = (ROOT / "service" / "templates").glob("*.html")
    asked = (re.findall(r"say\[(.+?)\]", page.read_text("utf-8")) for page in pages)
    return frozenset(key for each in asked for key in re.findall(r"'([^']+)'", " ".join(each)))


@cache
def text_of_pages() -> str:
    """Pages and their scripts."""
    static = {**static_files(".html"), **static_files(".js")}
    paths = (*static.values(), *(ROOT / "service" / "templates").glob("*.html"))
    return "\n".join(path.read_text("utf-8") for path in sorted(paths))


def on_pages() -> Iterator[str]:
    """Every key that pages ask for, as a pattern."""
    text = text_of_pages()
    yield from map(re.escape, re.findall(r'data-(?:word|label)="([^"]+)"', text))
    yield from map(re.escape, re.findall(r'\bword\("([^"]+)"', text))
    for key in re.findall(r'["`]([a-z_]+\.(?:[\w.]|\$\{[^}]+\})+)["`]', text):
        if key.startswith(ON_PAGES):
            yield re.sub(r"\\\$\\{.+?\\}", "(.+)", re.escape(key))


def pattern(parts: ast.JoinedStr) -> str:
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.+)"
        for part in parts.values
    )


def keys_asked_for(*under: str) -> Iterator[str]:
    """Every key that ``texts[...]`` and ``_word(...)`` spell, as a pattern."""
    for node in (node for tree in sources(*(under or WRITERS)) for node in ast.walk(tree)):
        match node:
            case ast.Subscript(value=ast.Name("texts" | "say"), slice=key):
                pass
            case ast.Subscript(value=ast.Attribute(attr="_texts"), slice=key):
                pass
            case ast.Call(func=ast.Attribute(attr="_word" | "_some"), args=[key, *_]):
                pass
            case _:
                continue
        yield from patterns_of(key)


def patterns_of(key: ast.expr) -> Iterator[str]:
    match key:
        case ast.JoinedStr():
            yield pattern(key)
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.IfExp(body=one, orelse=other):
            yield from patterns_of(one)
            yield from patterns_of(other)


def test_every_text_that_code_asks_for_is_there() -> None:
    asked = set(keys_asked_for()) | set(map(re.escape, in_templates()))
    asked |= {re.escape(text) for text in spelled("service") if OF_COMMANDS.fullmatch(text)}
    assert "help\\.lang" in asked
    assert {"payout\\.nothing", "missing\\.(.+)"} <= asked
    known = texts_of("en")
    assert [each for each in asked if not is_among(each, known)] == []


def is_among(asked: str, keys: Iterable[str]) -> bool:
    """Whether one of the keys is as the pattern asks: one search finds it in all of them."""
    return re.search(f"(?m)^(?:{asked})$", "\n".join(keys)) is not None


def test_every_text_that_pages_ask_for_is_sent_to_them() -> None:
    asked = set(on_pages())
    assert {"page\\.game\\.the_game", "page\\.setup\\.side\\.(.+)"} <= asked
    for lang in LANGUAGES:
        lines = catalogue_script(lang).splitlines()
        language, languages, words, _ = (json.loads(each.split(" = ", 1)[1][:-1]) for each in lines)
        assert (language, list(languages)) == (lang, list(LANGUAGES))
        assert [each for each in asked if not is_among(each, words)] == []


def test_pages_have_no_texts_of_halls_where_no_hall_can_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_club = {key for package in CLUB for key in read_texts(package, "en")}
    assert of_club <= texts_of("en").keys()
    monkeypatch.setattr("service.texts.catalogue.find_spec", lambda _: None)
    alone = texts_of.__wrapped__("en")
    assert texts_of("en").keys() - alone.keys() == of_club


def test_no_page_holds_a_text_beside_its_key() -> None:
    text = text_of_pages()
    assert re.findall(r'<(\w+)\b[^<>]*\bdata-word="[^"]+"[^<>]*>[^<]+</\1>', text) == []
    assert re.findall(r"data-label=[^<>]*aria-label=|aria-label=[^<>]*data-label=", text) == []


def test_the_documentation_lists_every_folder() -> None:
    about = (ROOT / "docs" / "translating.md").read_text("utf-8")
    told = re.findall(r"^\| `(.+?)/texts` \|", about, re.M)
    assert {one.replace("/", ".") for one in told} == set(PACKAGES)


def codes_of(rules: RuleSet) -> Iterator[str]:
    """Texts that a rule set declares."""
    yield f"rules.{rules.id}.title"
    for code, ruling in rules.problems.items():
        yield f"problem.{code}"
        yield f"follows.{ruling.follows}"
    yield from (f"item.{name}" for name in rules.payment.rows)
    for option in rules.options:
        yield f"option.{option.name}"
        if option.name not in ("double_yakuman", "liability"):  # these are proper names
            yield from (f"option_value.{one}" for one in option.values if isinstance(one, str))
    yield from (f"glossary.{term}.{part}" for term in rules.glossary for part in ("name", "text"))
    yield f"badge.{rules.page.ready_word}"


def codes_in(*under: str) -> Iterator[str]:
    """Texts of the codes that engine code spells out."""
    places = {
        "IllegalEvent": {0: "problem", 2: "follows"},
        "Problem": {0: "problem", 4: "follows"},
        "Item": {0: "item", 2: "unit"},
        "note": {0: "item"},
        "Ruling": {1: "follows"},
    }
    for node in (node for tree in sources(*under) for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            for place, family in places.get(node.func.id, {}).items():
                for constant in ast.walk(node.args[place]) if len(node.args) > place else ():
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        yield f"{family}.{constant.value}"


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_rule_set_has_every_text_of_its_own_or_shares_it(rules: RuleSet) -> None:
    used = {*codes_of(rules), *codes_in(rules.texts.replace(".", "/"))}
    known = {key for one in (*COMMON, rules.texts) for key in read_texts(one, "en")}
    assert used - known == set()


def test_the_shared_code_of_the_engine_has_its_texts_in_it() -> None:
    shared = [*(ROOT / "engine").glob("*.py"), *(ROOT / "engine" / "rules").glob("*.py")]
    used = {*codes_in(*map(str, shared))}
    assert {"problem.no_game", "follows.start_game"} <= used
    assert used - read_texts("engine", "en").keys() == set()


def test_the_engine_says_nothing_of_which_it_has_no_text() -> None:
    asked = set(keys_asked_for("engine/texts"))
    assert {"payout\\.nothing", "missing\\.(.+)"} <= asked
    known = said_by_the_engine("", "en")
    assert [each for each in asked if not is_among(each, known)] == []


@cache
def put_together() -> Mapping[str, list[re.Pattern[str]]]:
    """Keys that code and pages put together, as patterns by the family that each begins with."""
    patterns = {
        pattern(node)
        for tree in sources(*WRITERS)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and re.match(r"[a-z_]+\\\.", pattern(node))
    }
    found: dict[str, list[re.Pattern[str]]] = defaultdict(list)
    for each in patterns | set(on_pages()):
        found[each.partition("\\.")[0]].append(re.compile(each))
    return found


@every_package
def test_no_text_is_spare(package: str) -> None:
    """Each is spelled in the code, or put together of a pattern in it and a word that it spells."""
    patterns = put_together()
    own = () if package in COMMON else (package.replace(".", "/"),)
    fillers = spelled(*own) or spelled("engine", "service", "vision")
    if not own:
        fillers |= {*re.findall(r"[a-z_]+", text_of_pages())}
    fillers |= NOT_SPELLED | OFFENCES | set(RULE_SETS)
    exact = spelled(*WRITERS) | in_templates()

    def used(named: str) -> bool:
        key = named.rpartition(":")[2]  # behind the vocabulary whose own word it is
        found = (each.fullmatch(key) for each in patterns.get(key.partition(".")[0], ()))
        if key.startswith("refused."):
            return True  # test_refusals finds by whom each is said
        return key in exact or any(match and fillers.issuperset(match.groups()) for match in found)

    assert [key for key in read_texts(package, "en") if not used(key)] == []


def test_each_house_rule_stands_in_a_group() -> None:
    options = {option.name for rules in BUILT_IN for option in rules.options}
    assert {group_of(name) for name in options} == {*GROUPS} - {GROUPS[-1]}
    assert group_of("of a package") == GROUPS[-1]
