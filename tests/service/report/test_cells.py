"""Cells of comma-separated values are text or numbers, and never a formula."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest

from service.report.sheet import csv_of


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "\u2212"])
@pytest.mark.parametrize("before", ["", " ", "\n", "\r\n", "\t", "\u3000", "\xa0", "\ufeff", "\0"])
def test_no_text_begins_like_a_formula(before: str, sign: str) -> None:
    ((cell,),) = csv.reader(io.StringIO(csv_of([[f"{before}{sign}1+1"]])))
    assert cell == f"'{sign}1+1"


def test_numbers_stay_numbers() -> None:
    assert csv_of([[-3, Decimal("-2.50"), 0]]) == "-3,-2.50,0\n"


def test_a_name_stays_in_its_cell_whatever_divides_the_cells() -> None:
    assert csv_of([["a;=1+1", 'b"c', "d\te"]]) == '"a;=1+1","b""c","d e"\n'


def test_a_name_in_two_lines_stays_in_one_row() -> None:
    assert csv_of([["Aki\n=1+1", 2]]) == '"Aki =1+1",2\n'
