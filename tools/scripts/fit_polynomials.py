#!/usr/bin/env python3
"""Fits the polynomials of runtime/device/math*.h.

Weighted minimax by Remez's exchange on a grid, in 60 digits; then coefficient
by coefficient, from the lowest order up, one is rounded to the format and the
others are fitted again, so that rounding costs next to nothing. Prints C
literals, lowest order first, and the largest weighted error, as a power of 2.

Needs mpmath (gmpy2 makes it fast). The build does not run this.
"""

import argparse
import struct

import mpmath as mp

mp.mp.dps = 60
GRID, EXCHANGES = 600, 12


def to_float(value):
    return mp.mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def to_double(value):
    return mp.mpf(float(value))


class Fit:
    """`function` on [low, high] as a sum of c[k] x^k over `exponents`, with
    |error| / scale(x) smallest; coefficients in `fixed` are given."""

    def __init__(self, function, scale, low, high, exponents, fixed=None,
                 bits=24):
        self.exponents = list(exponents)
        self.round = to_float if bits == 24 else to_double
        self.fixed = {k: mp.mpf(c) for k, c in (fixed or {}).items()}
        low, high = mp.mpf(low), mp.mpf(high)
        self.points = [
            (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / GRID)
            for i in range(GRID + 1)
        ]
        # Where the value itself vanishes, the relative error is that nearby.
        self.points = [x for x in self.points if abs(x) > mp.mpf(10)**-12]
        self.values = [function(x) for x in self.points]
        self.scales = [scale(x) for x in self.points]

    def errors(self, coefficients):
        result = []
        for x, value, scale in zip(self.points, self.values, self.scales):
            p = mp.mpf(0)
            for k in range(max(coefficients), -1, -1):
                p = p * x + coefficients.get(k, 0)
            result.append((p - value) / scale)
        return result

    def remez(self, fixed):
        free = [k for k in self.exponents if k not in fixed]
        if not free:
            return dict(fixed)
        # Powers from x^k up form no Haar system across 0, but x^-k times them
        # do: errors alternate up to the sign of x^k.
        odd = min(free) % 2
        signs = [-1 if odd and x < 0 else 1 for x in self.points]
        count = len(free) + 1
        last = len(self.points) - 1
        reference = [
            round(last * (1 - mp.cos(mp.pi * i / (count - 1))) / 2)
            for i in range(count)
        ] if count > 1 else [0]
        for i in range(1, count):
            reference[i] = max(reference[i], reference[i - 1] + 1)
        coefficients = {}
        for _ in range(EXCHANGES):
            matrix, right = mp.matrix(count, count), mp.matrix(count, 1)
            for row, at in enumerate(reference):
                x = self.points[at]
                for column, k in enumerate(free):
                    matrix[row, column] = x**k
                matrix[row, count - 1] = ((-1)**row * signs[at] *
                                          self.scales[at])
                right[row] = self.values[at] - sum(
                    c * x**k for k, c in fixed.items())
            solution = mp.lu_solve(matrix, right)
            coefficients = dict(fixed)
            coefficients.update(
                {k: solution[i] for i, k in enumerate(free)})
            errors = [sign * error for sign, error in zip(
                signs, self.errors(coefficients))]
            extrema = self.alternation(errors, count)
            if extrema == reference or len(extrema) < count:
                break
            reference = extrema
        return coefficients

    @staticmethod
    def alternation(errors, count):
        """The largest `count` extrema of alternating sign."""
        extrema = []
        for i, error in enumerate(errors):
            if extrema and (errors[extrema[-1]] > 0) == (error > 0):
                if abs(error) > abs(errors[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > count:
            if len(extrema) == count + 1:
                drop = 0 if (abs(errors[extrema[0]]) <
                             abs(errors[extrema[-1]])) else len(extrema) - 1
                extrema.pop(drop)
            else:
                i = min(range(len(extrema) - 1),
                        key=lambda j: max(abs(errors[extrema[j]]),
                                          abs(errors[extrema[j + 1]])))
                del extrema[i:i + 2]
        return extrema

    def worst(self, coefficients):
        return max(abs(e) for e in self.errors(coefficients))

    def run(self):
        """(coefficients, log2 of the error unrounded, and rounded)."""
        fixed = dict(self.fixed)
        best = self.remez(fixed)
        ideal = self.worst(best)
        for k in sorted(self.exponents):
            if k in fixed:
                continue
            again = self.remez(fixed)
            # The last few coefficients may have nothing left to level.
            if self.worst(again) < self.worst(best):
                best = again
            fixed[k] = best[k] = self.round(best[k])
        return fixed, mp.log(ideal, 2), mp.log(self.worst(fixed), 2)


def one(_):
    return mp.mpf(1)


def literal(value, bits):
    value = float(value)
    text = value.hex() if bits == 53 else f"{value:.9g}"
    if bits == 53:
        return f"{value:.17g}"
    if "." not in text and "e" not in text:
        text += ".0"
    return text + "f"


HALF_LN2 = mp.log(2) / 2


def normal_tail(a):
    return mp.erfc(a / mp.sqrt(2)) / 2


def tail_scale(tail, accuracy, loosest):
    """Error allowed in log2(tail(a)): that of `accuracy` in 1 - tail, but
    relative to the tail never more than `loosest`."""
    return lambda a: mp.log1p(min(accuracy * (1 - tail(a)) / tail(a),
                                  loosest)) / mp.log(2)


def below_one(f):
    """(log(1 - f(a)) + a) / a and the error allowed in it, relative to f."""
    def value(a):
        return (mp.log1p(-f(a)) + a) / a

    def scale(a):
        return f(a) / (1 - f(a)) / a
    return value, scale


def binade(x):
    """The unit in the last place of e^x and 2^x, for small x."""
    return mp.mpf(1 if x < 0 else 2)


def log1p_scale(x):
    return abs(mp.log1p(x))


def fits():
    """name -> (Fit's arguments, bits)."""
    exp2 = lambda x: mp.mpf(2)**x
    third, reach, log_from, log_to = mp.mpf(1) / 3, HALF_LN2 * 1.005, -.25, .5
    floats = {
        "exp_wide": (mp.exp, mp.exp, -2 * reach, 2 * reach, range(8),
                     {0: 1, 1: 1}),
        "exp2_wide": (exp2, exp2, -1, 1, range(8), {0: 1}),
        "exp_narrow": (mp.exp, binade, -reach, reach, range(7), {0: 1}),
        "exp2_narrow": (exp2, binade, -.5, .5, range(6), {0: 1}),
        "expm1": (mp.expm1, lambda x: abs(mp.expm1(x)), -reach, reach,
                  range(1, 7), {1: 1}),
        "log1p": (mp.log1p, log1p_scale, log_from, log_to, range(1, 11),
                  {1: 1, 2: -.5}),
        "log2": (lambda x: mp.log1p(x) / mp.log(2), log1p_scale, -third,
                 third, range(1, 11)),
        "log1p_unit": (mp.log1p, log1p_scale, 0, 1, range(1, 11), {1: 1}),
        "reciprocal": (lambda d: 1 / d, lambda d: 1 / d, 1, 2, range(4)),
        "sin": (mp.sin, mp.sin, 0, mp.pi / 4 + .004, range(1, 8, 2), {1: 1}),
        "cos": (mp.cos, one, 0, mp.pi / 4 + .004, range(0, 9, 2), {0: 1}),
        "erf": (*below_one(mp.erf), 0, 3.93, range(9)),
        "gelu": (lambda a: mp.log(normal_tail(a), 2),
                 tail_scale(normal_tail, mp.mpf(2)**-25, mp.mpf(2)**-8), 0, 6,
                 range(9), {0: -1}),
    }
    doubles = {
        "pow_log2": (lambda x: mp.log1p(x) / mp.log(2), log1p_scale, log_from,
                     log_to, range(1, 16)),
        "pow_exp2": (exp2, exp2, -.5, .5, range(8)),
        "double_exp_wide": (mp.exp, mp.exp, -2 * reach, 2 * reach, range(14),
                            {0: 1, 1: 1}),
        "double_exp2_wide": (exp2, exp2, -1, 1, range(14), {0: 1}),
        "double_expm1": (mp.expm1, lambda x: abs(mp.expm1(x)), -reach, reach,
                         range(1, 13), {1: 1}),
        # log(1 + f) = s (2 + R(s^2)), s = f / (2 + f).
        "double_log": (lambda z: 2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2,
                       one, 0, mp.mpf(1) / 25, range(1, 9)),
        # The same as 2 s (1 + z (1/3 + z Q(z))).
        "double_pow_log": (
            lambda z: (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3) / z**2,
            one, mp.mpf(10)**-6, mp.mpf(1) / 25, range(9)),
        "double_pow_exp2": (exp2, binade, -.5, .5, range(12), {0: 1}),
        "double_sin": (mp.sin, mp.sin, 0, mp.pi / 4 + mp.mpf(10)**-6,
                       range(1, 14, 2), {1: 1}),
        "double_cos": (mp.cos, one, 0, mp.pi / 4 + mp.mpf(10)**-6,
                       range(0, 15, 2), {0: 1, 2: -.5}),
        "double_erf": (*below_one(mp.erf), 0, 5.93, range(24)),
    }
    return {name: (arguments, bits)
            for table, bits in ((floats, 24), (doubles, 53))
            for name, arguments in table.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="all, if none is given")
    names = parser.parse_args().names
    for name, (arguments, bits) in fits().items():
        if names and name not in names:
            continue
        coefficients, ideal, worst = Fit(*arguments, bits=bits).run()
        print(f"{name}: 2^{float(worst):.2f} (unrounded 2^{float(ideal):.2f})")
        for k in sorted(coefficients):
            print(f"  x^{k}: {literal(coefficients[k], bits)}")


if __name__ == "__main__":
    main()
