"""The two commands of `infograph fit`: read, learn, print, and write what a build takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError, OutputError
from infograph.evaluate.extra import check_installed
from infograph.fit import fusion, tables, thresholds
from infograph.fit.candidates import SITE, SOURCES, gather
from infograph.fit.extra import package
from infograph.fit.learning import MLP, RIDGE, XGBOOST
from infograph.progress import Reporter
from infograph.search.format.fusion_model import PLAIN_SUM, TreeSum, fusion_bytes
from infograph.search.format.rerank_policy import rerank_bytes
from infograph.search.ranking.wilson import LEAST_TRIALS, wilson

PREDICTORS = {"ridge": RIDGE, "xgboost": XGBOOST, "mlp": MLP}
"""Predictors by the name of the option `--predictor`."""
_PACKAGES = {XGBOOST: "xgboost", MLP: "torch"}


@dataclass(frozen=True, slots=True)
class FusionRequest:
    """What `infograph fit fusion` is asked."""

    questions: tuple[str, ...] = ()
    predictors: tuple[str, ...] = ("ridge", "xgboost")
    candidates: str = SITE
    out: str | None = None
    anyway: bool = False
    """Write the file also where it is not worth it."""


@dataclass(frozen=True, slots=True)
class RerankRequest:
    """What `infograph fit rerank` is asked."""

    questions: tuple[str, ...] = ()
    beta: float = thresholds.BETA
    dollars: float | None = None
    seconds: float | None = None
    out: str | None = None


@naming_origins
def fit_fusion(settings: Settings, request: FusionRequest, reporter: Reporter) -> tuple[str, bool]:
    """Returns the tables, and whether a file was written where one was asked for. Raises ConfigError, FormatError,
    OutputError."""
    check_installed()
    wanted = _predictors(request.predictors)
    if request.candidates not in SOURCES:
        raise ConfigError("--candidates", f"must be {' or '.join(SOURCES)}, not {request.candidates!r}")
    if request.out is not None and request.candidates != SITE:
        raise ConfigError("--out", "a site fuses its own scores: only those of `--candidates site` make a file for it")
    data = gather(settings, request.questions, request.candidates, reporter)
    report = fusion.fit(data, wanted)
    parts = [f"questions: {data.said}; cosines of {data.model}", tables.predictors_text(report)]
    parts += [tables.fusion_text(report), tables.fusion_text(report, held_out=True), tables.verdict(report)]
    if request.out is None:
        return "\n\n".join(parts), True
    if not (report.pays or request.anyway):
        parts.append(f"{request.out} is not written; --anyway writes it")
        return "\n\n".join(parts), False
    _write(Path(request.out), fusion_bytes(fusion.fusion_file(report)))
    parts.append(f"wrote {request.out}; `search.fusion` names it for a build")
    return "\n\n".join(parts), True


@naming_origins
def fit_rerank(settings: Settings, request: RerankRequest, reporter: Reporter) -> str:
    """Returns Table 5 and whether the look at the vectors pays; writes the file where one is asked for. Raises
    ConfigError, FormatError, OutputError."""
    check_installed()
    own = settings.fusion
    chosen, trees = (PLAIN_SUM, None) if own is None else (own.fusion(), TreeSum(own.base, own.trees))
    data = gather(settings, request.questions, SITE, reporter)
    ranked = thresholds.by_fusion(data.rows, chosen, data.weight, trees)
    found = thresholds.rerank_file(data, ranked, chosen.kind, request.beta)
    price = tables.CallPrice(request.dollars, request.seconds)
    plain = sum(own.row.exact[own.ranking[0]] for own in ranked) / len(ranked)
    rows = thresholds.threshold_rows(ranked, thresholds.FUSED_GRID, thresholds.gold_judge)
    words = thresholds.threshold_rows(thresholds.by_words(data.rows), thresholds.WORDS_GRID, None)
    parts = [
        f"questions: {data.said}, {len(data.rows)} of them; cosines of {data.model}; fusion {chosen.kind}",
        "by words and the query's vector\n" + tables.thresholds_text(rows, plain, found.policy.fused, price),
        "by words alone\n" + tables.thresholds_text(words, None, found.policy.words, price),
    ]
    if found.vectors is None:
        parts.append(f"of fewer than {LEAST_TRIALS} questions nothing is said of the look at the vectors")
    else:
        better, worse = found.vectors.better, found.vectors.worse
        low, high = wilson(better, better + worse)
        said = "pays" if low > 0.5 else "is not shown to pay"
        parts.append(
            f"the look at the vectors {said}: {better} questions better, {worse} worse, "
            f"share {low:.3f} to {high:.3f} with 95% confidence"
        )
    if request.out is not None:
        _write(Path(request.out), rerank_bytes(found))
        parts.append(f"wrote {request.out}; `search.rerank` names it for a build")
    return "\n\n".join(parts)


def _predictors(names: Sequence[str]) -> list[str]:
    """Returns the predictors that are named. Raises ConfigError for an unknown one, and where a package is missing."""
    for name in names:
        if name not in PREDICTORS:
            raise ConfigError("--predictor", f"there is no predictor {name!r}", f"There are: {', '.join(PREDICTORS)}")
    wanted = [PREDICTORS[name] for name in dict.fromkeys(names)]
    if not set(wanted).difference({MLP}):
        raise ConfigError("--predictor", "a site cannot publish an mlp", "Name ridge or xgboost beside it.")
    for name in wanted:
        if name in _PACKAGES:
            package(_PACKAGES[name])
    return wanted


def _write(file: Path, data: bytes) -> None:
    """Writes a file. Raises OutputError."""
    try:
        file.write_bytes(data)
    except OSError as error:
        raise OutputError(str(file), f"cannot be written: {error.strerror}") from error
