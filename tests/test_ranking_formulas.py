"""Every formula that an explanation prints comes out at what it says, done again from the figures it shows."""

from __future__ import annotations

import ast
import operator
import random
import re
from datetime import date, timedelta
from typing import Any

import pytest

from bot.render import ranking_explanation
from bot.texts import texts_for
from ratings.systems.russian import Ranking, Stage, Tournament
from ratings.tournaments.rankings import Explained
from tests.ranking_help import cup, explained, plain

TEXTS = texts_for("en-US")
DAY = date(2025, 6, 30)
OPERATORS = {ast.Add: operator.add, ast.Mult: operator.mul, ast.Div: operator.truediv}
RESULT = re.compile(r"^-# W (\S+) \((.+?)\) × R (\S+) × A (\d)/7 \(\d+ months?\) = (\S+) ·", re.MULTILINE)
MAXIMAL = re.compile(r"(\S+ × \d/7) = (\S+)$", re.MULTILINE)
FORMULA = re.compile(r"^ *(\(.+\) ÷ .+|0\.5 × .+) = ([0-9.]+)$", re.MULTILINE)


def value(formula: str) -> float:
    """What a formula of sums, products and quotients comes out at."""

    def of(node: ast.AST) -> float:
        if isinstance(node, ast.BinOp):
            return float(OPERATORS[type(node.op)](of(node.left), of(node.right)))
        assert isinstance(node, ast.Constant)
        return float(str(node.value))

    return of(ast.parse(formula.replace("×", "*").replace("÷", "/"), mode="eval").body)


def assert_comes_out(formula: str, printed: str) -> None:
    """Within what is printed: the hundredth that it rounds to, or a millionth."""
    decimals = len(printed.partition(".")[2])
    assert abs(value(formula) - float(printed)) <= (0.0056 if decimals == 2 else 1e-6), f"{formula} = {printed}"


def career(dice: random.Random, count: int, which: Ranking) -> Explained:
    """Anna's results in tournaments of all kinds, some with cut-offs, over two years."""
    held: list[Tournament] = []
    for number in range(1, count + 1):
        size, online = dice.randint(16, 180), which is Ranking.ONLINE
        told: dict[str, Any] = {"participants": size, "hanchan": dice.randint(4, 20), "online": online}
        if dice.random() < 0.3:
            told |= {"hanchan": None, "stages": (Stage(size, 4), Stage(size // 2, 3), Stage(size // 3, 5))}
        held.append(cup(number, last_day=DAY - timedelta(dice.randint(0, 729)), **told))
    places = {each.id: dice.randint(1, each.participants) for each in held if dice.random() < 0.9 or each.id < 3}
    return explained(places, *held, which=which, day=DAY)


def assert_all_come_out(text: str) -> None:
    """The parts and the rating, and the maximal coefficients with their sum."""
    formulas = FORMULA.findall(text)
    assert len(formulas) == 3
    products = MAXIMAL.findall(text)
    assert products
    for formula, printed in (*formulas, *products):
        assert_comes_out(formula, printed)
    missing = re.search(r"(\d) tournaments? (?:is|are) missing", text)
    total = sum(value(formula) for formula, _ in products) + (int(missing[1]) if missing else 0)
    (sum_,) = re.findall(r"Sum: (\S+)", text)
    assert total == pytest.approx(float(sum_), abs=5e-6)
    assert f"÷ {sum_} =" in text


@pytest.mark.parametrize("which", Ranking)
def test_whoever_does_a_formula_again_gets_what_is_printed(which: Ranking) -> None:
    dice, weights = random.Random(7), 0
    for count in (2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12):
        told = career(dice, count, which)
        shown, complete = ranking_explanation.explanation(TEXTS, told)
        assert complete
        results = RESULT.findall(plain(shown.description or ""))
        assert len(results) == len(told.explanation.results)
        for weight, made_of, rank, sevenths, points in results:
            assert_comes_out(made_of, weight)
            assert_comes_out(f"{weight} × {rank} × {sevenths}/7", points)
            weights += "/" in made_of
        fields = "\n".join(plain(field.value or "").replace("**", "") for field in shown.fields)
        assert_all_come_out(fields)
        assert_all_come_out(plain(ranking_explanation.explanation_text(TEXTS, told)))
    assert weights


@pytest.mark.parametrize("which", Ranking)
def test_the_sums_of_many_results_come_out_too(which: Ranking) -> None:
    dice = random.Random(8)
    for _ in range(5):
        told = career(dice, 60, which)
        shown, complete = ranking_explanation.explanation(TEXTS, told)
        assert not complete
        assert_all_come_out("\n".join(plain(field.value or "").replace("**", "") for field in shown.fields))
        assert_all_come_out(plain(ranking_explanation.explanation_text(TEXTS, told)))
