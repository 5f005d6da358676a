"""Clocks and power of the GPU while it is measured, as nvidia-smi reads them.
Nothing is set."""

import datetime
import statistics
import subprocess
import threading
import time

FIELDS = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")
UNITS = ("MHz", "MHz", "W", "C")
INTERVAL_MS = 200


def parse_line(line):
    """(seconds since the epoch, values or None of FIELDS) of a line of CSV;
    None for a line that is none."""
    words = [word.strip() for word in line.split(",")]
    if len(words) != 1 + len(FIELDS):
        return None
    try:
        moment = datetime.datetime.strptime(words[0], "%Y/%m/%d %H:%M:%S.%f")
    except ValueError:
        return None

    def number(word):
        try:
            return float(word)
        except ValueError:  # Such as [N/A].
            return None
    return moment.timestamp(), tuple(map(number, words[1:]))


def summarize_window(readings, begin, end):
    """Of readings in order: the last before `begin`, lowest, median and highest
    between, and the first after `end`, by field; {} without any."""
    result = {}
    for index, field in enumerate(FIELDS):
        known = [(moment, values[index]) for moment, values in readings
                 if values[index] is not None]
        before = [value for moment, value in known if moment < begin]
        during = [value for moment, value in known if begin <= moment <= end]
        after = [value for moment, value in known if moment > end]
        if before or during or after:
            result[field] = {
                "before": before[-1] if before else None,
                "during": ([min(during), statistics.median(during),
                            max(during)] if during else None),
                "after": after[0] if after else None}
    return result


class ClockLog:
    """Reads in the background; `problem` says why there is nothing to read."""

    def __init__(self, gpu="0"):
        self.gpus = [gpu, "0"]  # A name that it does not know: the first one.
        self.readings, self.problem, self.process = [], None, None
        self.lock = threading.Lock()

    @property
    def command(self):
        return ["nvidia-smi", f"--id={self.gpus[0]}",
                f"--query-gpu=timestamp,{','.join(FIELDS)}",
                "--format=csv,noheader,nounits"]

    def start(self):
        self.read_once()
        if self.problem:
            self.gpus.pop(0)
            self.problem = None
            self.read_once()
        if self.problem:
            return
        self.process = subprocess.Popen(
            [*self.command, f"--loop-ms={INTERVAL_MS}"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        for line in self.process.stdout:
            self._add(line)

    def _add(self, line):
        reading = parse_line(line)
        if reading:
            with self.lock:
                self.readings.append(reading)

    def read_once(self):
        """Beside what is read anyway, so that there is a reading now."""
        try:
            done = subprocess.run(self.command, capture_output=True, text=True,
                                  timeout=20, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            self.problem = self.problem or f"nvidia-smi: {error}"
            return
        self._add(done.stdout.strip())

    def window(self, begin, end):
        """The summary from `begin` to `end`, which are past."""
        if not self.problem:
            self.read_once()
        with self.lock:
            readings = sorted(self.readings)
        return summarize_window(readings, begin, end)

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()


now = time.time  # The clock of the timestamps.
