"""Related errors and other sites of a message: who is listed, in which order, and who never."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import related
from generator.dataset import Dataset, Entry
from generator.related import also_raised, links, rank

ROOT = Path(__file__).parent.parent


def entry(number: int, **fields: Any) -> Entry:
    """An entry with the id `number` in hexadecimal; what is not given is the same for all."""
    given_or_same: dict[str, Any] = {
        "repo": "acme/tool",
        "slug": f"slug-{number}",
        "message": f"message {number}",
        "pattern": "",
        "error_class": "ValueError",
        "error_type": "validation",
        "severity": "error",
        "error_code": None,
        "http_status": None,
        "file_path": f"src/f{number}.py",
        "line": 1,
        "tags": (),
        "family": None,
        "sha": "0" * 40,
        "day": "2026-08-28",
        "analyzed": "2026-08-28T05:10:05.000000000Z",
        "modified": "2026-08-28T05:10:05.000000000Z",
        "reviewed": False,
        "withdrawn": False,
        "replacement": None,
        "aliases": (),
        "version": "1",
        "draft": False,
        "parts": 0,
        "digests": b"",
        "folder": "",
        "name": "",
        "stored": "",
        "offset": 0,
        "length": 0,
        "where_line": 0,
    } | fields
    return Entry(id=f"{number:016x}", **given_or_same)


def dataset(*entries: Entry) -> Dataset:
    return Dataset(tuple(sorted(entries, key=lambda entry: (entry.repo.casefold(), entry.slug.casefold(), entry.id))))


def messages(found: Dataset, number: int, **options: Any) -> list[str]:
    return [found.by_id[other.id].message for other in rank(found, **options)[f"{number:016x}"]]


SITES = """
srt/models/kimi_k3.py 2892 ValueError DSPARK requires explicit layer_ids for aux hidden capture.
srt/models/bailing_moe_v3.py 1665 ValueError DSPARK requires explicit layer_ids for aux hidden capture.
srt/models/kimi_k3.py 2887 NotImplementedError DSPARK aux hidden capture requires PP=1.
srt/models/qwen3.py 798 ValueError DFLASH requires explicit layer_ids for aux hidden capture.
srt/models/qwen3_5_text.py 125 ValueError DFLASH requires explicit layer ids for aux hidden capture.
srt/models/gemma4_causal.py 1210 ValueError DFLASH requires explicit layer_ids for aux hidden capture.
srt/arg_groups/speculative_hook.py 809 ValueError DSpark requires --speculative-dspark-block-size to be positive
srt/speculative/dspark_components/dspark_config.py 55 ValueError DSpark speculative_num_draft_tokens must be >= 2
srt/arg_groups/model_overrides/kimi_k3.py 71 ValueError Kimi-K3 DCP + DSPARK requires SGLANG_RAGGED_VERIFY_MODE
kernels/ops/speculative/ngram_corpus.py 58 ValueError Unknown match_type: '{match_type}'. Must be 'BFS' or 'PROB'.
srt/models/deepseek_v4_boundary.py 505 ValueError MoE backend does not match its transport output contract
srt/models/radio.py 240 AssertionError video_embedder is required for temporal compression
srt/models/gemma3_causal.py 1006 ValueError EmbeddingGemma only supports identity Dense activations
srt/models/glm5_next.py 1684 AssertionError Only 1 nextn layer is supported
srt/models/phi4mm_audio.py 406 AssertionError attention_group_size must divide n_head
srt/models/minimax_m3_vl.py 110 AssertionError text_hidden_size is required
srt/models/phi4mm_utils.py 1348 ValueError Not valid sub-sampling: {subsampling}!
srt/models/beam.py 1370 ValueError DFlash capture layers must be sorted, unique, and in range
srt/models/xllm.py 746 ValueError MoVA supports only sigmoid and softmax value routing
srt/models/deepseek_v4_replay_tail.py 536 AssertionError tail outputs differ within one bridge key
srt/layers/moe/fused_moe_triton/triton_kernels_moe.py 155 AssertionError hidden_states must be 2D
srt/speculative/dflash_worker_v2.py 1489 RuntimeError DFLASH selector draft returned no hidden states.
multimodal_gen/runtime/models/dits/sana_video.py 512 ValueError SANA-Video requires encoder_hidden_states
srt/mem_cache/pool_host/qsa.py 30 ValueError QSA HiCache requires at least one local indexer layer
kernels/ops/attention/msa_v1/compact_dequant.py 59 ValueError compact NVFP4 dequant requires page_size=head_dim=128
srt/layers/attention/dsa/dsa_indexer.py 1501 AssertionError HIP legacy DSA path requires page_size == 1
srt/speculative/uno_info.py 216 RuntimeError Cannot merge UNO states with different forward widths.
srt/speculative/dflash_worker_v2.py 526 ValueError DFLASH Domino requires speculative_num_draft_tokens > 1
srt/speculative/eagle_utils.py 201 NotImplementedError Invalid tree mask: tree_mask_mode={tree_mask_mode}
srt/arg_groups/speculative_hook.py 579 ValueError UNO requires TP=PP=1.
srt/speculative/dflash_worker_v2.py 1843 ValueError DFLASH target_hidden must be 2D, got shape={target_hidden}.
srt/sampling/sampling_params.py 262 ValueError min_p must be in [0, 1], got {self.min_p}.
srt/mem_cache/storage/umbp/umbp_store.py 436 ValueError extra_config['spdk_passthrough'] must be a dict of overrides
"""
"""Raise sites of sglang (some messages cut): the first is the seed b318b4f842689251, the second raises the same."""


def sites() -> Dataset:
    rows = [line.split(" ", 3) for line in SITES.strip().splitlines()]
    return dataset(
        *(
            entry(number, repo="sgl-project/sglang", file_path=path, line=int(line), error_class=error, message=message)
            for number, (path, line, error, message) in enumerate(rows)
        )
    )


def test_a_reader_of_the_seed_nods() -> None:
    assert messages(sites(), 0) == [
        "DFLASH requires explicit layer_ids for aux hidden capture.",
        "DSPARK aux hidden capture requires PP=1.",
        "DFlash capture layers must be sorted, unique, and in range",
        "DSpark requires --speculative-dspark-block-size to be positive",
        "Kimi-K3 DCP + DSPARK requires SGLANG_RAGGED_VERIFY_MODE",
    ]
    assert [other.why for other in rank(sites())[f"{0:016x}"]] == [
        "same folder: explicit, layer_ids",
        "same file: dspark, aux",
        "same folder: capture, layer",
        "dspark, requires",
        "dspark, requires",
    ]


NEEDLE: dict[str, Any] = {"message": "sprocket jammed", "file_path": "src/gears/drive.py"}
PREFERENCES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the repository before what says more elsewhere": (
        {"message": "sprocket lost"},
        {"message": "sprocket jammed hard", "repo": "other/tool"},
    ),
    "a rare word before a common one": ({"message": "sprocket broke"}, {"message": "common broke"}),
    "words before tags": ({"message": "sprocket one"}, {"message": "unlike", "tags": ("gears",)}),
    "the same file before another": (
        {"message": "sprocket one", "file_path": "src/gears/drive.py"},
        {"message": "sprocket two"},
    ),
    "the deeper shared folder": (
        {"message": "sprocket one", "file_path": "src/gears/a.py"},
        {"message": "sprocket two", "file_path": "src/wheels/b.py"},
    ),
    "parts of identifiers": ({"message": "SprocketHub lost"}, {"message": "common broke"}),
    "a plural as its singular": ({"message": "sprockets lost"}, {"message": "common broke"}),
    "a rare class": ({"message": "one", "error_class": "JamError"}, {"message": "two"}),
    "a family": ({"message": "one", "family": "jammed-part"}, {"message": "two"}),
    "the smaller id, all else equal": ({"message": "sprocket one"}, {"message": "sprocket two"}),
}


@pytest.mark.parametrize("case", PREFERENCES)
def test_preference(case: str) -> None:
    closer, farther = PREFERENCES[case]
    needle = NEEDLE | {"message": "sprocket jammed common", "tags": ("gears",), "family": "jammed-part"}
    needle |= {"error_class": "JamError"} if case == "a rare class" else {}
    crowd = [entry(number, message=f"common thing{number}", file_path=f"lib{number}/x.py") for number in range(10, 40)]
    found = dataset(entry(1, **needle), entry(2, **closer), entry(3, **farther), *crowd)
    listed = [other.id for other in rank(found, limit=40)[f"{1:016x}"]]
    assert f"{2:016x}" in listed
    assert listed.index(f"{2:016x}") < (listed.index(f"{3:016x}") if f"{3:016x}" in listed else 99)


def test_nothing_is_related_where_only_small_words_are_shared() -> None:
    found = dataset(
        entry(1, message="expected a valid value", file_path="a/x.py"),
        entry(2, message="value must not be None", file_path="b/y.py", error_class="TypeError"),
    )
    assert rank(found) == {f"{1:016x}": (), f"{2:016x}": ()}


def test_a_lonely_record_gets_others_only_for_what_they_really_share() -> None:
    lonely = entry(1, repo="lone/one", message="sprocket gearbox jammed", tags=("gears",))
    alike = entry(2, message="sprocket gearbox lost", tags=("gears",))
    weak = entry(3, message="gearbox full", file_path="x/y.py")
    crowd = [entry(number, message=f"thing{number}", file_path=f"lib{number}/x.py") for number in range(10, 40)]
    linked = rank(dataset(lonely, alike, weak, *crowd))[lonely.id]
    assert [other.id for other in linked] == [alike.id]
    assert 0 < linked[0].score <= 0.5
    assert linked[0].why == "sprocket, gearbox"


def test_two_that_say_the_same_are_not_both_listed() -> None:
    found = dataset(
        entry(1, message="sprocket jammed"),
        entry(2, message="sprocket  lost"),
        entry(3, message="sprocket\nlost"),
        entry(4, message="The Sprocket: lost!"),
        entry(5, message="sprocket {name} in {place}", pattern="sprocket .+ in .+"),
        entry(6, message="sprocket {a} in {b}", pattern="sprocket .+ in .+"),
    )
    listed = rank(found)[f"{1:016x}"]
    assert len(listed) == 2
    assert {other.id for other in listed} & {f"{5:016x}", f"{6:016x}"}


def test_other_sites() -> None:
    found = dataset(
        entry(1, message="it is lost", file_path="b.py", line=10),
        entry(2, message="it  is\nlost", file_path="b.py", line=9),
        entry(3, message="it is lost", file_path="a.py", repo="Zeta/z"),
        entry(4, message="it is lost", file_path="a.py", repo="alpha/a"),
        entry(5, message="{x} is lost", pattern=".+ is lost"),
        entry(6, message="{y} is lost", pattern=".+ is lost", repo="alpha/a"),
        entry(7, message="it is lost", withdrawn=True),
        entry(8, message="{text}", pattern=".+"),
        entry(9, message="{detail}", pattern=".+"),
    )
    expected = {1: [2, 4, 3], 2: [1, 4, 3], 3: [2, 1, 4], 4: [2, 1, 3], 5: [6], 6: [5]}
    given = {int(key, 16): [int(other, 16) for other in others] for key, others in also_raised(found).items()}
    assert given == expected
    bounded = {
        int(key, 16): [int(other, 16) for other in others] for key, others in also_raised(found, limit=2).items()
    }
    assert bounded == {key: others[:2] for key, others in expected.items()}


WORDS = ("sprocket", "gear_box", "layerIds", "jammed", "must", "be", "{value}", "lost", "hidden", "capture", "Größe")
entries: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    repo=st.sampled_from(("acme/tool", "acme/lib", "Other/x")),
    message=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    pattern=st.sampled_from(("", ".+", "jammed .+", "lost: .+")),
    error_class=st.sampled_from(("ValueError", "JamError")),
    file_path=st.sampled_from(("a.py", "src/a.py", "src/b.py", "src/deep/c.py")),
    line=st.integers(1, 9),
    tags=st.lists(st.sampled_from(("gears", "tool", "jam-error", "cuda")), max_size=2).map(tuple),
    family=st.sampled_from((None, "jammed-part")),
    withdrawn=st.sampled_from((False, False, False, True)),
)
datasets = st.lists(entries, max_size=30).map(
    lambda found: dataset(*(entry(number, **fields) for number, fields in enumerate(found)))
)


def said(one: Entry) -> set[str]:
    return {" ".join(one.message.split()), *([f"\0{one.pattern}"] if one.pattern not in ("", ".+") else [])}


@given(datasets, st.integers(0, 7))
def test_who_is_never_listed(found: Dataset, limit: int) -> None:
    related = rank(found, limit=limit)
    assert related.keys() == {one.id for one in found.live}
    for record_id, listed in related.items():
        one, others = found.by_id[record_id], [found.by_id[other.id] for other in listed]
        assert len(listed) <= limit
        assert not any(other.withdrawn or other.id == record_id or said(other) & said(one) for other in others)
        assert not any(said(a) & said(b) for place, a in enumerate(others) for b in others[:place])
        assert [other.score for other in listed] == sorted((other.score for other in listed), reverse=True)
        assert all(0 < other.score <= 1 and other.why for other in listed)
        assert all((other.repo == one.repo) == (link.score > 0.5) for other, link in zip(others, listed, strict=True))


@given(datasets, st.integers(0, 7))
def test_links_are_the_ids_alone(found: Dataset, limit: int) -> None:
    ranked = rank(found, limit=limit)
    assert links(found, limit=limit)[0] == {
        key: tuple(other.id for other in others) for key, others in ranked.items() if others
    }


@given(datasets, datasets, st.integers(1, 5), st.sampled_from([(2, 2), (64, 40)]))
def test_what_was_chosen_before_changes_nothing(
    before: Dataset, found: Dataset, limit: int, bounds: tuple[int, int]
) -> None:
    """Whatever the records were then: their choices are taken where they hold, and are the same."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(("HOT", "MAX_FEATURES"), bounds, strict=True):
            patch.setattr(related, name, value)
        _, known = links(before, limit=limit)
        assert links(found, limit=limit, known=known) == links(found, limit=limit)


@given(datasets, st.integers(0, 5))
def test_other_sites_are_those_that_say_the_same(found: Dataset, limit: int) -> None:
    also = also_raised(found)
    for one in found.live:
        same = {other.id for other in found.live if other.id != one.id and said(other) & said(one)}
        assert set(also.get(one.id, ())) == same
        repos = [found.by_id[other].repo == one.repo for other in also.get(one.id, ())]
        assert repos == sorted(repos, reverse=True)
        assert also_raised(found, limit=limit).get(one.id, ()) == also.get(one.id, ())[:limit]


@given(datasets, st.randoms(use_true_random=False))
def test_the_order_of_input_does_not_matter(found: Dataset, chance: random.Random) -> None:
    shuffled = list(found.entries)
    chance.shuffle(shuffled)
    assert rank(Dataset(tuple(shuffled))) == rank(found)
    assert also_raised(Dataset(tuple(shuffled))) == also_raised(found)


def crowd(count: int) -> Dataset:
    """Records of a few repositories, with words and places as unequal in frequency as real ones."""
    chance = random.Random(1)
    names = [f"{first}{second}" for first in "abcdefghij" for second in ("ring", "gate", "node", "pipe", "lens")]

    def pick() -> str:
        return names[min(int(chance.paretovariate(0.6)) - 1, len(names) - 1)]

    return dataset(
        *(
            entry(
                number,
                repo=f"acme/r{chance.randrange(3)}",
                message=" ".join(pick() for _ in range(4)),
                file_path=f"src/{pick()}/{pick()}.py",
                tags=(pick(),),
                line=chance.randrange(999),
            )
            for number in range(count)
        )
    )


def test_one_more_record_changes_few_lists() -> None:
    found = crowd(1000)
    before = rank(found)
    for number in (3, 141, 592, 653):
        without = rank(Dataset(tuple(one for one in found.entries if one.id != f"{number:016x}")))
        changed = [
            record_id
            for record_id, listed in without.items()
            if [other.id for other in listed] != [other.id for other in before[record_id]]
        ]
        assert len(changed) <= 40


def edited(found: Dataset, chance: random.Random) -> Dataset:
    """With a record more or less, or one that says another thing, says it elsewhere, or has other tags."""
    entries = list(found.entries)
    place = chance.randrange(len(entries))
    one, other = entries[place], chance.choice(entries)
    kept = entries[:place] + entries[place + 1 :]
    changed: list[dict[str, Any]] = [
        {"message": f"{one.message} {chance.choice(other.message.split())}s"},
        {"file_path": other.file_path, "line": other.line},
        {"tags": other.tags, "error_class": chance.choice(["ValueError", "JamError"])},
        {"family": "jammed-part"},
    ]
    return dataset(*kept, *([msgspec.structs.replace(one, **chance.choice(changed))] if chance.random() < 0.8 else []))


@pytest.mark.parametrize("seed", range(3))
def test_a_history_of_edits_chooses_as_one_would_anew(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """And mostly only within the repositories that are concerned."""
    chosen: list[range] = []
    own = related._own

    def noted(index: Any, span: range, limit: int) -> Any:
        chosen.append(span)
        return own(index, span, limit)

    monkeypatch.setattr(related, "HOT", 8)
    monkeypatch.setattr(related, "_own", noted)
    chance = random.Random(seed)
    found = crowd(300)
    _, known = links(found)
    assert len(chosen) == 3
    counts = []
    for _ in range(25):
        found = edited(found, chance)
        chosen.clear()
        linked, known = links(found, known=known)
        counts.append(len(chosen))
        assert (linked, known) == links(found)
    assert 0 < sum(counts) < 2 * len(counts)


def test_every_process_gives_the_same() -> None:
    program = (
        "import hashlib; from tests.test_related import crowd; from generator.related import rank\n"
        "print(hashlib.sha256(repr(sorted(rank(crowd(300)).items())).encode()).hexdigest())"
    )
    given = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(given) == 1
