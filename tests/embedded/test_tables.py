"""Tables in Markdown and CSV are read as tables: each row with the headings of its columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.cross import nearest
from oyer.judges.embedded.grids import find_rows, separate_cells
from oyer.judges.embedded.kinds import kind_of
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.reasons import WORDS as REASONS
from oyer.judges.embedded.row_lists import matches_table
from oyer.judges.embedded.rows import spoken
from oyer.judges.embedded.source import index
from oyer.judges.embedded.words import read
from tests.embedded.conftest import verdict

ROTA = """# Rota of the youth hostel

| Room           | Keeper       | Cleaned on | Beds |
|:---------------|:-------------|------------|-----:|
| Blue dormitory | Ana Ruiz     | Monday     |   12 |
| Red dormitory  | Tom Okafor   | Wednesday  |    8 |
| Kitchen        | Lotte Brandt | Friday     |      |
| Reading room   | Dev Patel    | Tuesday    |    2 |

Guests bring their own towels. The door is locked at eleven.
"""
SALES = """region,units,change,manager
north,1240,13.7,Ana Ruiz
"south, inland",980,-2.1,Tom Okafor
east,1515,4.4,"Lotte ""Lo"" Brandt"
west,310,-20.5,Dev Patel
"""
#: A table, and what its last row says.
TABLES = {
    "Markdown": ("| Region | Units | Change |\n|---|---|---|\n| North | 1,240 | +13.7% |",
                 "North: Units 1,240, Change +13.7%"),
    "no outer bars": ("Room | Keeper | Day\n--- | --- | ---\nHall | Tom Okafor | Friday",
                      "Hall: Keeper Tom Okafor, Day Friday"),
    "two columns": ("| Room | Keeper |\n|---|---|\n| **Hall** | Tom. Or Ann. |",
                    "Hall: Keeper Tom. Or Ann."),
    "too few cells": ("|Room|Keeper|Day|\n|-|-|-|\n|Hall|Tom|", "Hall: Keeper Tom"),
    "a bar in a cell": ("|Room|Keys|\n|-|-|\n|Hall|A\\|B|", "Hall: Keys A|B"),
    "a terminal's": (" room | beds\n------+------\n hall |    4", "hall: beds 4"),
    "CSV": ("Region,Units,Change\nNorth,1240,13.7\nSouth,980,-2.1",
            "South: Units 980, Change -2.1"),
    "CSV of words": ("Room;Keeper;Day\nHall;Tom Okafor;Friday\nAttic;Ann Lee;Monday",
                     "Attic: Keeper Ann Lee, Day Monday"),
    "CSV, quoted": ('"Name","Town","Note"\n"Lee, Ann","Ghent","moved"\n"Roy, Ben","Lyon","a, b"',
                    "Roy, Ben: Town Lyon, Note a, b"),
    "CSV with blanks": ("Region, Units, Change\nNorth, 1240, 13.7\nSouth, 980, -2.1",
                        "South: Units 980, Change -2.1"),
    "CSV of Windows": ("Region;Units;Price\r\nnorth;1240;3,5\r\nsouth;980;4,25",
                       "south: Units 980, Price 4,25"),
}  # fmt: skip
#: Lines with as many commas or bars that are no table.
PROSE = {
    "verse": "Come, gather, friends\nSing, dance, play\nRest, dream, sleep",
    "wrapped lines": "The mine closed, after a strike, in May\nThe pit is now, as planned, a "
    "museum\nVisitors pay 7, or less, on Mondays",
    "a list of people": "Ann Lee, Ghent, teacher\nBen Roy, Lyon, nurse\nCara Dunn, Ostend, cook",
    "people and years": "Ann Lee, Ghent, 1990\nBen Roy, Lyon, 1987\nCara Dunn, Ostend, 1991",
    "values without headings": "Ann,Ghent,teacher\nBen,Lyon,nurse\nCara,Ostend,teacher",
    "two columns": "Room,Keeper\nHall,Tom\nAttic,Ann",
    "one row": "Region,Units,Change\nNorth,1240,13.7",
    "large numbers": "The town paid 1,240,000 for it\nThe state paid 3,100,000\nWe paid 2,000,000",
    "a bar and a dash": "The bar | a small one | closed\n- it is said - | - for good",
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_row_is_told_with_its_headings(name: str) -> None:
    text, told = TABLES[name]
    source = index(f"{text}\n")
    assert spoken(source.text, source.spans[-1]) == told


@pytest.mark.parametrize("name", PROSE)
def test_prose_with_commas_is_no_table(name: str) -> None:
    assert find_rows(PROSE[name]) == {}
    assert kind_of(PROSE[name]) == "prose"


def test_a_table_begins_after_the_sentence_that_announces_it() -> None:
    text = f"Here are the figures, by region, for May:\n{SALES}They are provisional, as ever."
    source = index(text)
    told = [spoken(text, span) for span in source.spans]
    assert told[0] == "Here are the figures, by region, for May:"
    assert told[3] == "south, inland: units 980, change -2.1, manager Tom Okafor"
    assert told[4] == 'east: units 1515, change 4.4, manager Lotte "Lo" Brandt'
    assert told[-1] == "They are provisional, as ever."


@pytest.mark.parametrize("text", [ROTA, SALES])
def test_key_points_of_a_table_are_its_rows(text: str) -> None:
    """Not its headings, and rows of words as well as of figures; kinds know them, too."""
    seen = perceive(text, "Ana Ruiz has a new task.", scorer("light"))
    points = [spoken(seen.source.text, (p.start, p.end)) for p, _ in seen.points]
    assert sum(": " in point and ", " in point for point in points) == len(points) == 4
    assert kind_of(text) == "table"


def test_the_encoder_reads_a_row_with_its_headings() -> None:
    assert nearest(index(ROTA), "The kitchen is cleaned on Friday.") == (
        "Kitchen: Keeper Lotte Brandt, Cleaned on Friday"
    )
    assert nearest(index(SALES), "The west sold 310 units.") == (
        "west: units 310, change -20.5, manager Dev Patel"
    )


@pytest.mark.parametrize(("text", "true", "false"), [
    (ROTA, "The red dormitory has 8 beds.", "The red dormitory has 12 beds."),
    (ROTA, "The kitchen is cleaned on Friday.", "The kitchen is cleaned on Tuesday."),
    (ROTA, "The blue dormitory is cleaned on Monday.", "The reading room is cleaned on Monday."),
    (SALES, "The north sold 1,240 units.", "The north sold 980 units."),
    (SALES, "The west sold 310 units.", "The west sold 1,515 units."),
])  # fmt: skip
def test_a_figure_of_another_row_is_moved(text: str, true: str, false: str) -> None:
    for summary, faults in ((true, set()), (false, {"moved"})):
        (claim,) = perceive(text, summary, scorer("light")).every
        assert claim.faults == faults
        assert (claim.label == "Supported") == (not faults)


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize("text", [ROTA, SALES])
def test_quotes_of_a_table_are_its_own_words(text: str, protocol: str) -> None:
    summary = "Ana Ruiz, Tom Okafor, Lotte Brandt and Dev Patel each have a place to look after."
    found = verdict(protocol, summary, text)
    assert (found.status, found.violations) == ("scored", ())


LINES = st.lists(st.text(st.sampled_from('ab1 ,;|-"\\\r.'), max_size=20), max_size=8)


@given(LINES)
def test_cells_stay_in_their_places(lines: list[str]) -> None:
    """Whatever a text looks like, every row keeps within its line, and no letter moves."""
    text = "\n".join(lines)
    apart = separate_cells(text)
    assert len(apart) == len(text)
    for start, row in find_rows(text).items():
        places = [place for cell in row.cells for place in cell]
        assert places == sorted(places)
        assert start <= row.start <= places[0]
        assert places[-1] <= row.end <= len(text)
        assert "\n" not in text[start : row.end]
        assert not row.heads or len(row.heads) == len(row.cells)
    assert [c for c in apart if c.isalnum()] == [c for c in text if c.isalnum()]


TOWNS = """# Visitors in May

| Town | Staff | Visitors |
|---|---|---|
| Leeds | 12 | 120 |
| York | 8 | 95 |
| Hull | 7 | 80 |
| Bath | 5 | 60 |

The figures are provisional.
"""
REGIONS = """Quarter  Visitors in the north  Visitors in the south
First  120  95
Second  80  60
"""
TABBED = "Town\tStaff\tVisitors\nLeeds\t12\t120\nYork\t8\t95\nHull\t7\t80\nBath\t5\t60\n"
#: A table, lists of figures from it, and the two that are exchanged to make them false.
LISTS = [
    (TOWNS, "Leeds had 120, York 95, Hull 80 and Bath 60 visitors.", ("95", "60")),
    (TOWNS, "There were 120 visitors in Leeds, 95 in York, 80 in Hull and 60 in Bath.",
     ("120", "80")),
    (TOWNS, "Leeds, York, Hull and Bath had 120, 95, 80 and 60 visitors.", ("95", "80")),
    (TOWNS, "York (95) and Bath (60) had visitors.", ("95", "60")),
    (TOWNS.replace("Leeds", "North").replace("York", "South"),
     "North had 120 visitors, South 95, Hull 80 and Bath 60.", ("120", "95")),
    (TOWNS.replace("Leeds", "Upper school").replace("York", "Lower school"),
     "The upper school had 120 visitors, the lower school 95 and Hull 80.", ("120", "95")),
    (TOWNS.replace("Visitors |", "Books lent |"),
     "Leeds lent 120 books, York 95, Hull 80 and Bath 60.", ("95", "80")),
    (TABBED, "Leeds had 120, York 95 and Bath 60 visitors.", ("95", "60")),
    (REGIONS, "The first quarter had 120 visitors in the north and the second 80.", ("120", "80")),
]  # fmt: skip


@pytest.mark.parametrize(("table", "true", "figures"), LISTS)
def test_a_list_of_figures_is_held_against_each_of_its_rows(
    table: str, true: str, figures: tuple[str, str]
) -> None:
    one, other = figures
    false = true.replace(one, "?").replace(other, one).replace("?", other)
    for summary, reason in ((true, ""), (false, REASONS["moved"])):
        (claim,) = verdict("twin-lock", summary, table).output[2]["claims_checked"]
        assert bool(claim["justification"]) == bool(reason)
        assert reason in claim["justification"]
        assert (claim["status"] == "Supported") == (not reason)


def test_a_list_of_another_column_is_not_cleared() -> None:
    """What is told of it is left to the rules for one fact, and so is a list that tells more."""
    source = index(TOWNS)
    for claim, matches in (
        ("Leeds had 12, York 8 and Hull 7 visitors.", None),
        ("Leeds had 120 and York 95 visitors on Monday.", None),
        ("Leeds had 120 visitors.", None),
        ("Leeds had 120 and York 95 visitors.", True),
        ("Leeds had 95 and York 120 visitors on Monday.", False),
    ):
        assert matches_table(source, claim, read(claim)) is matches, claim
