"""scripts/translate_stemmers.py: generated Python becomes JavaScript, construct for construct; what is not known is
refused where it stands, and the shipped files are what the script makes."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from infograph.errors import FormatError

SCRIPT = Path(__file__).parents[2] / "scripts" / "translate_stemmers.py"
_spec = importlib.util.spec_from_file_location("translate_stemmers", SCRIPT)
assert _spec is not None and _spec.loader is not None
script = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = script  # dataclasses look their module up
_spec.loader.exec_module(script)
translate = script.translate

HEAD = "# Generated from odd.sbl by Snowball 3.1.1 - https://snowballstem.org/\n\nfrom .among import Among\n\n\n"
BODY = """class OddStemmer(BaseStemmer):
    '''
    A stemmer.
    '''

    g_v = {"a", "ä"}
    g_w = "xy"
    I_p1 = 0

    def __r_check(self):
        return self.I_p1 <= self.cursor + 1

    def _stem(self):
        c = self.limit - self.cursor
        while True:
            try:
                if not self.in_grouping(OddStemmer.g_v) or len(self.current) > 4:
                    raise lab0()
                for _ in 0, 0:
                    self.cursor -= 1
                break
            except lab0: pass
            self.cursor = c
            continue
        if self.find_among_b(OddStemmer.a_0) == 0:
            self.slice_from(OddStemmer.as_0[0])
        elif not self.__r_check():
            self.slice_del()
        else:
            self.I_p1 = -1
        return True

    a_0 = [
        Among("ss", -1, 1),
        Among("ß", 0, -1, __r_check)
    ]
    as_0 = ("o", "\\u0B95")


class lab0(BaseException): pass
"""
EXPECTED = """class OddStemmer extends Machine {
  g_v = new Set("aä");
  g_w = new Set("xy");
  I_p1 = 0;

  r_check() {
    return this.I_p1 <= this.cursor + 1;
  }

  _stem() {
    let $c;
    $c = this.limit - this.cursor;
    while (true) {
      lab0: {
        if (!this.in_grouping(this.g_v) || this.current.length > 4) {
          break lab0;
        }
        for (let i = 0; i < 2; i += 1) {
          this.cursor -= 1;
        }
        break;
      }
      this.cursor = $c;
      continue;
    }
    if (this.find_among_b(this.a_0) === 0) {
      this.slice_from(this.as_0[0]);
    } else if (!this.r_check()) {
      this.slice_del();
    } else {
      this.I_p1 = -1;
    }
    return true;
  }
  a_0 = table(
    ["ss", -1, 1],
    ["ß", 0, -1, "r_check"],
  );
  as_0 = ["o", "க"];
}
"""


def test_construct_for_construct() -> None:
    made = translate(HEAD + BODY, "odd_stemmer.py")
    assert (made.name, made.release) == ("OddStemmer", "3.1.1")
    assert made.code == EXPECTED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("self.slice_del()", "self.slice_away()"),
        ("self.slice_del()", "del self.current"),
        ("self.slice_del()", "print(self)"),
        ("self.slice_del()", "self.I_new = 1"),
        ("self.slice_del()", "raise lab0()"),
        ("self.slice_del()", "return"),
        ("self.slice_del()", "c = d"),
        ("self.slice_del()", "c = self.current[1:]"),
        ("self.slice_del()", "c = c if c else 1"),
        ("self.slice_del()", "c = OtherStemmer.g_v"),
        ("self.slice_del()", "c = 1 < c < 2"),
        ("self.slice_del()", "c *= 2"),
        ("self.slice_del()", "c = d = 1"),
        ("self.slice_del()", "c = None"),
        ("self.slice_del()", "c = len(c)"),
        ("self.slice_del()", "c = self.__r_check(1)"),
        ("for _ in 0, 0:", "for c in 0, 0:"),
        ("while True:", "with self:"),
        ("except lab0: pass", "except lab0: break"),
        ("except lab0: pass", "finally: pass"),
        ("return True", "yield"),
        ("def _stem(self):", "def _stem(self, more):"),
        ("def _stem(self):", "async def _stem(self):"),
        ("def _stem(self):", "def stem(self):"),
        ("I_p1 = 0", "I_p1 = None"),
        ("I_p1 = 0", "I_p1: int = 0"),
        ('{"a", "ä"}', '{"a", "äa"}'),
        ('{"a", "ä"}', "{1, 2}"),
        ('Among("ss", -1, 1)', 'Among("ss", -1, "1")'),
        ('Among("ss", -1, 1)', 'Among("ss", -1, 1, lambda self: True)'),
        ('Among("ss", -1, 1)', "'ss'"),
        ("class lab0(BaseException): pass", "class More(BaseStemmer): pass"),
        ("class lab0(BaseException): pass", "more = 1"),
    ],
)
def test_what_is_not_known_is_refused(before: str, after: str) -> None:
    assert before in BODY
    with pytest.raises(FormatError, match=r"^odd_stemmer\.py.*(no translation into JavaScript|just one class)"):
        translate(HEAD + BODY.replace(before, after), "odd_stemmer.py")


def test_an_error_names_the_line_and_what_stands_there() -> None:
    with pytest.raises(FormatError) as caught:
        translate(HEAD + BODY.replace("self.slice_del()", "self.slice_away()"), "odd_stemmer.py")
    line = (HEAD + BODY).splitlines().index("            self.slice_del()") + 1
    assert caught.value.place == f"odd_stemmer.py:{line}"
    assert "`self.slice_away()`" in caught.value.reason


def test_a_label_within_one_of_its_name_is_refused() -> None:
    nested = "try:\n                self.slice_del()\n            except lab0: pass"
    nested = f"try:\n              {nested.replace(chr(10), chr(10) + '  ')}\n            except lab0: pass"
    with pytest.raises(FormatError, match="Try"):
        translate(HEAD + BODY.replace("self.slice_del()", nested), "odd_stemmer.py")


def test_code_of_an_unknown_origin_is_refused() -> None:
    with pytest.raises(FormatError, match="release of Snowball"):
        translate(BODY, "odd_stemmer.py")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.slow
def test_the_shipped_files_are_what_the_script_makes(tmp_path: Path) -> None:
    done = run("--check")
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "xx.js").touch()
    assert run("--folder", tmp_path).returncode == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == script.modules()
    (tmp_path / "de.js").write_bytes((tmp_path / "de.js").read_bytes()[:-1])
    (tmp_path / "fr.js").unlink()
    (tmp_path / "xx.js").touch()
    done = run("--check", "--folder", tmp_path)
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["de.js", "fr.js", "xx.js"]
    assert not (tmp_path / "fr.js").exists()


class Installed:
    """A package as it might be installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def locate_file(self, path: str) -> Path:
        return self.folder / Path(path).name


def test_an_installed_stemmer_that_cannot_be_translated_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Path(str(distribution("snowballstemmer").locate_file("snowballstemmer/german_stemmer.py")))
    text = source.read_text("utf-8")
    assert 'self.slice_from("ss")' in text
    (tmp_path / source.name).write_text(text.replace('self.slice_from("ss")', 'self.slice_somehow("ss")'), "utf-8")
    monkeypatch.setattr(script, "distribution", lambda _: Installed(tmp_path))
    with pytest.raises(FormatError, match=r"snowballstemmer/german_stemmer\.py:\d+: .*slice_somehow"):
        script.module("de")
