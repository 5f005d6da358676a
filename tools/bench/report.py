"""What was measured as Markdown, JSON and, where matplotlib is, a plot."""

import dataclasses
import json
import math

import clocks

MOST_ERROR = 1e-5  # Of a result that is right in fp32.


@dataclasses.dataclass
class Row:
    """One contender in one case; times are of a call, in microseconds."""

    contender: str
    precision: str
    ran: str
    status: str  # "ok", or why there are no times.
    calls: int = 0
    error: object = None       # Relative, against float64.
    throughput: object = None  # measure.Summary
    latency: object = None     # measure.Summary
    notes: list = dataclasses.field(default_factory=list)

    @property
    def is_right(self):
        return self.error is not None and self.error <= MOST_ERROR

    @property
    def time(self):
        """Of a right result; None if there is none."""
        right = self.throughput and self.is_right
        return self.throughput.median if right else None


@dataclasses.dataclass
class CaseReport:
    case: object  # programs.Case
    rows: list
    empty_kernel: dict  # Summaries by quantity.
    control: float      # Microseconds; of the run.
    control_spread: float
    clocks: dict
    notes: list

    def row(self, contender):
        return next((row for row in self.rows if row.contender == contender),
                    None)

    def fuse_time(self):
        row = self.row("fuse")
        return row.time if row else None

    def best_peer(self):
        """The fastest other contender with a right result, or None."""
        rows = [row for row in self.rows
                if row.contender != "fuse" and row.time]
        return min(rows, key=lambda row: row.time, default=None)


def format_time(value):
    """Three or four digits of microseconds."""
    if value is None or math.isnan(value):
        return ""
    digits = 2 if value < 100 else 1 if value < 1000 else 0
    return f"{value:.{digits}f}"


def format_summary(summary):
    """The cells of the median and of p10 to p90."""
    if not summary:
        return "", ""
    return (format_time(summary.median),
            f"{format_time(summary.p10)} to {format_time(summary.p90)}")


def format_table(heads, lines):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in
                     [heads, ["---"] * len(heads), *lines]) + "\n"


def _case_line(row, fuse_time):
    throughput, throughput_range = format_summary(row.throughput)
    latency, latency_range = format_summary(row.latency)
    error = "" if row.error is None else f"{row.error:.1e}"
    if row.error is not None and not row.is_right:
        error += " WRONG"
    ratio = (f"{row.time / fuse_time:.2f}" if row.time and fuse_time else "")
    ran = row.ran if row.status == "ok" else row.status
    return [row.contender, row.precision, throughput, throughput_range, latency,
            latency_range, error, ratio, ran]


def format_case(report):
    fuse_time = report.fuse_time()
    rows = sorted(report.rows,
                  key=lambda row: (row.throughput is None,
                                   row.throughput and row.throughput.median))
    text = f"## {report.case.title}\n\n" + format_table(
        ["contender", "class", "us a call", "p10 to p90", "latency us",
         "p10 to p90", "error", "/ fuse", "ran in"],
        [_case_line(row, fuse_time) for row in rows])
    notes = [f"{row.contender}: {note}" for row in rows for note in row.notes]
    empty = {quantity: format_time(summary.median)
             for quantity, summary in report.empty_kernel.items()}
    if empty:
        notes.append(f"an empty kernel: {empty['throughput']} us a call, "
                     f"latency {empty['latency']} us")
    notes += _error_notes(report)
    notes.append(f"the control took {format_time(report.control)} us and moved "
                 f"by at most {100 * report.control_spread:.1f} %")
    for field, unit in zip(clocks.FIELDS, clocks.UNITS):
        if field in report.clocks:
            notes.append(_clock_note(field, unit, report.clocks[field]))
    return text + "\n" + "".join(f"- {note}\n" for note in
                                 [*notes, *report.notes])


def _error_notes(report):
    """Our exact fp32 must not be worse than twice PyTorch's."""
    fuse, eager = report.row("fuse"), report.row("torch-eager")
    if not (fuse and eager and fuse.error and eager.error):
        return []
    ratio = fuse.error / eager.error
    return ([] if ratio <= 2 else
            [f"fuse: its error is {ratio:.1f} times that of torch-eager"])


def _clock_note(field, unit, window):
    low, middle, high = window["during"] or (None, None, None)

    def show(value):
        return "?" if value is None else f"{value:.0f}"
    return (f"{field}: {show(window['before'])} {unit} before, {show(middle)} "
            f"({show(low)} to {show(high)}) during, {show(window['after'])} "
            "after")


def format_overview(reports):
    lines = []
    for report in reports:
        fuse, best = report.fuse_time(), report.best_peer()
        lines.append([
            report.case.title, format_time(fuse), format_time(report.case.goal),
            f"{format_time(best.time)} ({best.contender})" if best else "",
            f"{best.time / fuse:.2f}" if best and fuse else ""])
    return format_table(["size", "fuse us", "goal us", "best peer us",
                         "peer / fuse"], lines)


def format_report(context, reports):
    text = "# Fuse beside its peers\n\n"
    text += "".join(f"- {name}: {value}\n" for name, value in context.items())
    text += """
Times are medians of microseconds a call, warm: of a CUDA graph of many calls,
and, as latency, of a graph of one. An error is relative, in the Euclidean norm,
against float64. The best peer is the fastest with a right result, of any class
that says fp32.

"""
    return (text + format_overview(reports) + "\n"
            + "\n".join(map(format_case, reports)))


def _plain(value):
    """What JSON can hold; NaN and infinities become text."""
    if dataclasses.is_dataclass(value):
        return _plain(dataclasses.asdict(value))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def format_json(context, reports):
    return json.dumps({"context": context,
                       "cases": [_plain(report) for report in reports]},
                      indent=1) + "\n"


def draw(reports, path):
    """False, with nothing drawn, where matplotlib is missing."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return False
    reports = [report for report in reports
               if any(row.time for row in report.rows)]
    if not reports:
        return False
    figure, axes = pyplot.subplots(len(reports), squeeze=False,
                                   figsize=(8, 2.4 * len(reports)))
    for report, axis in zip(reports, axes[:, 0]):
        rows = sorted((row for row in report.rows if row.time),
                      key=lambda row: -row.time)
        bars = axis.barh(
            [row.contender for row in rows], [row.time for row in rows],
            color=["tab:orange" if row.contender == "fuse" else "tab:gray"
                   for row in rows])
        axis.bar_label(bars, [format_time(row.time) for row in rows], padding=3)
        axis.margins(x=0.15)
        axis.set_title(report.case.title, fontsize=10)
        axis.set_xlabel("microseconds a call")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True
