"""Text in Windows-1251, told from text in other encodings by most of its words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ratings.resultsfile import ProblemKind, read_results
from tests.resultsfile_help import found, text_file

RUSSIAN = ("Иванов Иван", "Сидорова Алёна", "Кузнецов Олег", "Яна Шмидт", "Хабибуллин Эмиль", "Чжан Цзымин")
UKRAINIAN = ("Іван Їжак", "Євген Коцюба", "Ґалаґан", "Юрій Шевчук", "Григорій Щур")
BELARUSIAN = ("Аляксей Ўласаў", "Юрый Кавалёў", "Жанна Ждановіч")
BULGARIAN = ("Георги Желязков", "Христо Щерев", "Цветелина Ъглова", "Пламен Юруков")
KAZAKH = ("Нурсултан Ахметов", "Айгуль Жумабаева", "Ержан Кудайберген")
ENGLISH = ("Ann Lee", "Bob Fox", "Cem Roe")


def _data(encoding: str, *names: str, header: tuple[str, str] = ("place", "player")) -> bytes:
    return text_file(header, *enumerate(names, 1), delimiter=";", encoding=encoding)


def _names(data: bytes) -> tuple[str, ...]:
    return tuple(row.player for row in read_results(data).rows)


@pytest.mark.parametrize("cased", [str, str.upper, str.lower])
@pytest.mark.parametrize("names", [RUSSIAN, UKRAINIAN, BELARUSIAN, BULGARIAN, KAZAKH])
def test_names_of_every_case_are_read(names: tuple[str, ...], cased: Callable[[str], str]) -> None:
    expected = tuple(cased(name) for name in names)
    assert _names(_data("cp1251", *expected)) == expected
    assert _names(_data("cp1251", *expected, *ENGLISH, header=("Место", "Игрок"))) == (*expected, *ENGLISH)


@pytest.mark.parametrize(
    "odd",
    [
        # Cyrillic with a Latin letter in it: C, p, k.
        ("Cергей Иванов",),
        ("Игpок",),
        ("г. Мосkва", "мГУ"),
        ("МакДональд Олег",),
        ("ДжоН", "ООО Ромашка"),
        ("Јован Петровић",),
        ("«Рысь» — №1", "Ли И."),
    ],
)
def test_a_few_odd_words_do_not_matter(odd: tuple[str, ...]) -> None:
    names = (*RUSSIAN, *odd)
    assert _names(_data("cp1251", *names)) == names
    assert _names(_data("cp1251", *names, header=("Место", "Игрок"))) == names


def test_one_letter_of_the_wrong_alphabet_is_no_matter_even_alone() -> None:
    assert _names(_data("cp1251", "Ann", "Игpок")) == ("Ann", "Игpок")


WRONG = [
    (encoding, tuple(cased(name) for name in RUSSIAN))
    for encoding in ("koi8-r", "cp866", "mac-cyrillic", "iso8859-5", "cp855")
    for cased in (str, str.upper)
]
WRONG += [
    ("koi8-r", tuple(name.lower() for name in RUSSIAN)),
    ("cp866", tuple(name.lower() for name in RUSSIAN)),
    ("koi8-u", UKRAINIAN),
    ("koi8-u", tuple(name.upper() for name in UKRAINIAN)),
    ("koi8-r", tuple(f"{name.split()[0]} И. И." for name in RUSSIAN)),
    ("cp1250", ("Łukasz Żak", "Jiří Dvořák", "Šárka", "Łódź", "Ágnes Kovács")),
    ("cp1252", ("Jürgen Müller", "Zoë", "José", "Weiß")),
    ("cp1252", ("Ann", "Bob", "Müller")),
    ("cp1253", ("Γιώργος Παπαδόπουλος", "Μαρία", "Νίκος", "Άννα")),
    ("cp1254", ("Çağrı", "Şule", "Ömer", "İpek")),
    ("cp1257", ("Jānis Bērziņš", "Žydrūnas", "Õnne")),
    ("mac-roman", ("Jürgen Müller", "José")),
    ("shift-jis", ("田中太郎", "山田花子", "佐藤", "鈴木")),
    ("euc-jp", ("田中太郎", "山田花子", "佐藤", "鈴木")),
    ("gbk", ("张伟", "王芳", "李娜", "刘洋")),
    ("big5", ("陳大文", "李小明", "王美麗")),
    ("euc-kr", ("김철수", "이영희", "박지성")),
]


@pytest.mark.parametrize(("encoding", "names"), WRONG)
def test_text_in_another_encoding_is_no_text(encoding: str, names: tuple[str, ...]) -> None:
    assert found(_data(encoding, *names)) == [(None, ProblemKind.NOT_TEXT)]
