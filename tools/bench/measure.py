"""How samples are taken and judged. Needs no GPU: what is timed, and the
control beside it, are functions of the caller."""

import dataclasses
import math
import statistics

CALLS = 20  # Of a graph whose replay gives the throughput.
MOST_CALLS = 50
LONG_REPLAY = 500e3  # Microseconds.


def quantile(samples, share):
    """The value below which a share of `samples` lies, between neighbours in
    proportion; NaN if there is none."""
    if not samples:
        return math.nan
    ordered = sorted(samples)
    position = share * (len(ordered) - 1)
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


@dataclasses.dataclass(frozen=True)
class Summary:
    median: float
    p10: float
    p90: float
    count: int


def summarize(samples):
    """None if there are no samples."""
    if not samples:
        return None
    return Summary(quantile(samples, 0.5), quantile(samples, 0.1),
                   quantile(samples, 0.9), len(samples))


def choose_calls(microseconds):
    """Calls in one graph: more of short ones, for the resolution of events, and
    fewer than 20 only of those that would take seconds."""
    if microseconds < 20:
        return MOST_CALLS
    return max(2, min(CALLS, int(LONG_REPLAY / microseconds)))


def slopes(short, long, extra_calls):
    """Time of one call from pairs of runs that differ by `extra_calls` calls,
    so that what a run costs the host drops out."""
    return [(b - a) / extra_calls for a, b in zip(short, long)]


@dataclasses.dataclass(frozen=True)
class Batch:
    """Samples of one contender, by quantity, between two control runs."""

    before: float
    after: float
    samples: dict

    def moved(self, baseline):
        """By what share the control beside it was off the baseline."""
        return max(abs(self.before / baseline - 1),
                   abs(self.after / baseline - 1))


class Alternation:
    """Measures contenders in turn, A B C, C B A, A B C, with a control run
    between any two. A batch counts if the control beside it is within
    `tolerance` of the median of all control runs; contenders that are left with
    fewer than `rounds` such batches have up to `retries` more rounds."""

    def __init__(self, control, rounds=3, retries=2, tolerance=0.02):
        self.control = control
        self.rounds, self.retries = rounds, retries
        self.tolerance = tolerance
        self.controls, self.batches, self.failures = [], {}, {}

    def run(self, contenders):
        """`contenders`: functions by name, which give samples by quantity. One
        that raises is left out from then on; `failures` has its exception."""
        self.batches = {name: [] for name in contenders}
        for index in range(self.rounds + self.retries):
            names = [name for name in contenders if self._wants(name, index)]
            if index % 2:
                names.reverse()
            if names:
                self._run_round({name: contenders[name] for name in names})

    def _wants(self, name, index):
        return name not in self.failures and (
            index < self.rounds or len(self.steady(name)) < self.rounds)

    def _run_round(self, contenders):
        before = self._measure_control()
        for name, measure in contenders.items():
            try:
                samples = measure()
            except Exception as error:  # The others go on.
                self.failures[name] = error
                before = self._measure_control()
                continue
            after = self._measure_control()
            self.batches[name].append(Batch(before, after, samples))
            before = after

    def _measure_control(self):
        self.controls.append(self.control())
        return self.controls[-1]

    @property
    def baseline(self):
        return statistics.median(self.controls)

    def steady(self, name):
        """Batches that count."""
        return [batch for batch in self.batches[name]
                if batch.moved(self.baseline) <= self.tolerance]

    def rejected(self, name):
        """Batches that do not count, as shares that their controls moved."""
        moved = [batch.moved(self.baseline) for batch in self.batches[name]]
        return [share for share in moved if share > self.tolerance]

    def spread(self):
        """How far the control moved in all, as a share: the noise floor."""
        return max(abs(value / self.baseline - 1) for value in self.controls)

    def summaries(self, name):
        """Of what counts, by quantity, and empty if nothing does."""
        merged = {}
        for batch in self.steady(name):
            for quantity, samples in batch.samples.items():
                merged.setdefault(quantity, []).extend(samples)
        return {quantity: summarize(samples)
                for quantity, samples in merged.items() if samples}
