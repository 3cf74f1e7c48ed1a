"""The files of translators are read as gettext's other readers do."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest

from engine.texts.files import entries, read_texts

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
ODD = {
    "no blank line between": 'msgid "a"\nmsgstr "A"\nmsgid "b"\nmsgstr "B"\n',
    "a blank line within": 'msgid "a"\n\nmsgstr "A"\n\n"1"\n\nmsgid "b"\nmsgstr "B"\n',
    "long texts": 'msgid ""\n"a."\n"b"\nmsgstr ""\n"one\\n"\n"two"\n',
    "white space": 'msgid\t"a"\nmsgstr  "A"\n  \t\n msgid "b"\nmsgstr "B" \n',
    "lines of other systems": 'msgid "a"\r\nmsgstr "A"\r\n\r\nmsgid "b"\r\nmsgstr "B"\r\n',
    "escapes": r'msgid "a"' + "\n" + r'msgstr "\"q\" \\n \t tab\n \\"' + "\n",
    "a tab": 'msgid "a"\nmsgstr "A\tB\u3000"\n',
    "fuzzy": '#, python-format, fuzzy\nmsgid "a"\nmsgstr "A"\n#: x:1\nmsgid "b"\nmsgstr "B"\n',
    "no fuzzy flag": '# fuzzy\n#, not-fuzzy\nmsgid "a"\nmsgstr "A"\n',
    "flags after an entry": 'msgid "a"\nmsgstr "A"\n#, fuzzy\nmsgid "b"\nmsgstr "B"\n',
    "obsolete": '#, fuzzy\n#~ msgid "a"\n#~ msgstr "A"\n\nmsgid "b"\nmsgstr "B"\n',
    "earlier texts": '#| msgid "old"\nmsgid "a"\nmsgstr "A"\n',
    "a context": 'msgctxt "c"\nmsgid "a"\nmsgstr "C"\n\nmsgid "a"\nmsgstr "A"\n',
    "a plural": 'msgid "a"\nmsgid_plural "as"\nmsgstr[0] "A"\nmsgid "b"\nmsgstr "B"\n',
    "no text": 'msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "B"\n',
    "nothing": "",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_file_says_what_polib_reads_in_it(text: str) -> None:
    others = polib.pofile(HEADER + text).translated_entries()
    expected = {each.msgid: each.msgstr for each in others if each.msgctxt is None and each.msgstr}
    read = list(entries(HEADER + text, "en.po"))
    assert {key: said for key, said in read if key and said} == expected
    assert len(dict(read)) == len(read)


def test_only_the_end_of_a_line_ends_it() -> None:
    assert list(entries('msgid "a"\nmsgstr "A\u2028B"\n', "en.po")) == [("a", "A\u2028B")]


def test_a_mark_of_the_byte_order_is_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "package_with_mark" / "texts"
    folder.mkdir(parents=True)
    (folder / "en.po").write_text(HEADER + 'msgid "a"\nmsgstr "A"\n', "utf-8-sig")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert read_texts("package_with_mark", "en") == {"a": "A"}


@pytest.mark.parametrize(
    "text",
    [
        'msgid "a"\nmsgstr "A", "B"\n',
        'msgid "a"\nmsgstr "A" # "B"\n',
        'msgid "a"\nmsgstr "A\\"\n',
        'msgid "a"\nmsgstr A\n',
        'msgid "a"\nmsgid "b"\nmsgstr "B"\n',
        'msgid "a"\nmsgstr "A"\nmsgstr "B"\n',
        'msgstr "A"\n',
        '"a"\n',
        "half a line",
    ],
)
def test_a_line_that_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^en\.po has a line "):
        list(entries(text, "en.po"))
