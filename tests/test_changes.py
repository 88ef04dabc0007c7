"""Records that changed while their time did not."""

from pathlib import Path

from generator import changes, dataset
from generator.client import open_mirror
from tests import mirrors


def problems(tmp_path: Path) -> list[str]:
    """Of the records in `records` against the mirror in `site`, the slugs of those that say nothing of their change."""
    mirror = open_mirror(tmp_path / "site")
    found = changes.unstamped(
        mirror.changes(),
        mirrors.load(tmp_path / "records").entries,
        before=lambda ids: ((record_id, mirror.form(record_id)) for record_id in ids),
        now=lambda entry: dataset.read(entry).form,
    )
    return [f"{problem.record} {problem.field} {problem.code}" for problem in found]


def test_a_silent_change_is_a_problem_and_a_stamped_one_is_none(tmp_path: Path) -> None:
    records = tmp_path / "records"
    mirrors.export_to(tmp_path / "site", mirrors.load(mirrors.write(records, *map(mirrors.variant, range(5)))))
    assert problems(tmp_path) == []
    mirrors.write(
        records,
        mirrors.variant(1, documentation="Another text."),
        mirrors.variant(2, documentation="Another text.", updatedAt="2027-01-01T00:00:00Z"),
        {**mirrors.variant(3), "datasetVersion": "another"},
        mirrors.variant(9),
    )
    assert problems(tmp_path) == [f"{mirrors.variant(1)['record']['id']} updatedAt {changes.CODE}"]
