"""Changes wait while much is moved, and not for ever."""

from __future__ import annotations

from vision.decoder.stirring import Stirring

STOOD = (13, 13, 13, 13)


def watched(stirring: Stirring, standing: tuple[int, ...], from_s: float, to_s: float) -> None:
    """Looks five times a second at rows that stand, and at nothing else that moves."""
    for look in range(round((to_s - from_s) * 5)):
        stirring.update((), (), standing, from_s + look / 5)


def test_a_row_that_stays_short_withholds_nothing_for_the_rest_of_the_hand() -> None:
    """It has laid down a kong while four discards were uncovered."""
    stirring = Stirring()
    watched(stirring, (14, 13, 13, 13), 0.0, 2.0)
    stirring.update((), (), (10, 13, 13, 13), 2.2)
    stirring.came([2.0, 2.1, 2.2, 2.2], 2.2)
    assert stirring.waits(2.4)
    watched(stirring, (10, 13, 13, 13), 2.4, 40.0)
    assert not stirring.waits(40.0)
    assert stirring.since_s is None


def test_a_hand_that_was_thrown_in_is_waited_for_longer_than_what_a_sleeve_has_hidden() -> None:
    for fallen, waits in ((STOOD, False), ((2, 13, 13, 13), True)):
        stirring = Stirring()
        watched(stirring, STOOD, 0.0, 2.0)
        stirring.update((), (), fallen, 2.2)
        stirring.came([2.0, 2.1, 2.2, 2.2], 2.2)
        watched(stirring, fallen, 2.4, 15.0)
        assert stirring.waits(15.0) is waits
