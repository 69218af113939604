"""Log-likelihood ratios to 20 digits: the table `reference.csv` beside this file.

    python3 -m venv venv && venv/bin/pip install mpmath numpy
    venv/bin/python reference.py > reference.csv

The likelihood is maximised directly under its constraints, by another way than
the program's. With y = score - 1/2, m = E[y], s = E[y^2]:

logistic:    m = score(elo) - 1/2. One multiplier.
normalized:  m = t*sigma and s = (1 + t^2)*sigma^2, t = elo*ln(10)/800, times
             sqrt(2) for pairs. For a fixed sigma both constraints are linear:
             two multipliers, a concave problem. Over sigma the maximum is
             searched on a grid of 600 points over the whole feasible range,
             and every local maximum of the grid is refined by bisection of the
             derivative (envelope theorem). The best one counts.

A cell without a result counts 1/1000 (fishtest's `regularize`).
"""
import sys
import numpy as np
from mpmath import mp, mpf, sqrt, log, tanh, matrix

mp.dps = 50
EPS = mpf(10) ** -3
LN10 = log(10)


def newton(c, F, start):
    """max over the multipliers x of sum c*log(1 + F x): concave, damped Newton."""
    k = len(F[0])
    x = list(start)
    w = lambda x: [1 + sum(f[j] * x[j] for j in range(k)) for f in F]
    cur = w(x)
    if min(cur) <= 0:
        x = [mpf(0)] * k
        cur = w(x)
    for _ in range(10000):
        g = [sum(ci * f[j] / wi for ci, f, wi in zip(c, F, cur)) for j in range(k)]
        H = [[sum(ci * f[j] * f[l] / wi**2 for ci, f, wi in zip(c, F, cur)) for l in range(k)] for j in range(k)]
        if k == 1:
            d = [g[0] / H[0][0]]
        else:
            det = H[0][0] * H[1][1] - H[0][1] * H[1][0]
            d = [(H[1][1] * g[0] - H[0][1] * g[1]) / det, (H[0][0] * g[1] - H[1][0] * g[0]) / det]
        # Newton decrement in units of the smallest weight: where it is small a
        # self-concordant function takes full steps.
        dec = sqrt(sum(gi * di for gi, di in zip(g, d)) / min(c))
        if dec < mpf(10) ** -16:
            return x, cur
        # At most nine tenths of the way to a pole, and not past the rise that
        # a concave function promises.
        rise = sum(gi * di for gi, di in zip(g, d))
        worst = max(-sum(f[j] * d[j] for j in range(k)) / wi for f, wi in zip(F, cur))
        step = min(mpf(1), mpf(9) / 10 / worst) if worst > 0 else mpf(1)
        old = sum(ci * log(wi) for ci, wi in zip(c, cur))
        while dec > mpf(1) / 4 and step > mpf(10) ** -30:
            wt = w([xi + step * di for xi, di in zip(x, d)])
            if sum(ci * log(wi) for ci, wi in zip(c, wt)) >= old + step * rise / 10:
                break
            step /= 2
        x = [xi + step * di for xi, di in zip(x, d)]
        cur = w(x)
    raise ArithmeticError("no convergence")


def loss_mean(c, y, h):
    _, w = newton(c, [[yi - h] for yi in y], [mpf(0)])
    return sum(ci * log(wi) for ci, wi in zip(c, w))


def hull(y):
    """least s for a given m: chords between neighbours of y."""
    def least(m):
        for a, b in zip(y, y[1:]):
            if a <= m <= b:
                return a * a + (m - a) * (a + b)
        return mpf(1)
    return least


def loss_ratio(c, y, t):
    """(N times) divergence from the data to the nearest law with m/sigma = t."""
    k = len(y)
    low = hull(y)
    feasible = lambda s: abs(t * s) < y[-1] and low(t * s) < (1 + t * t) * s * s < mpf(1) / 4

    def at(sig, start):
        m, s = t * sig, (1 + t * t) * sig * sig
        if k == 3:
            pw, pl = (4 * s + 2 * m) / 2, (4 * s - 2 * m) / 2
            p = [pl, 1 - pw - pl, pw]
            if min(p) <= 0:
                return None
            N = sum(c)
            val = sum(ci * log(ci / N / pi) for ci, pi in zip(c, p))
            dp = [(8 * (1 + t * t) * sig - 2 * t) / 2, 0, (8 * (1 + t * t) * sig + 2 * t) / 2]
            dp[1] = -dp[0] - dp[2]
            slope = -sum(ci * di / pi for ci, di, pi in zip(c, dp, p))
            return val, slope, None
        F = [[yi - m, yi * yi - s] for yi in y]
        x, w = newton(c, F, start)
        val = sum(ci * log(wi) for ci, wi in zip(c, w))
        slope = -sum(c) * (x[0] * t + x[1] * 2 * (1 + t * t) * sig)
        return val, slope, x

    # Grid, log-spaced, with its multipliers carried along. 15 digits do here.
    top = 1 / (2 * sqrt(1 + t * t))
    n = 300
    grid = [top * mpf(10) ** (-mpf(7) * (n - i) / n) for i in range(n)]
    # Near the narrow feasible windows of large t a linear grid as well.
    grid = sorted(set(grid + [top * (i + mpf(1) / 2) / n for i in range(n)]))
    # The best law may lie close to the edge of what is feasible.
    edges = []
    for a, b in zip([grid[0] / 2] + grid, grid + [top * 2]):
        if feasible(a) == feasible(b):
            continue
        inner, outer = (a, b) if feasible(a) else (b, a)
        for _ in range(160):
            middle = (inner + outer) / 2
            if feasible(middle):
                inner = middle
            else:
                outer = middle
        span = (a if inner - outer < 0 else b) - inner
        edges += [inner + span * mpf(10) ** (-mpf(k) / 6) for k in range(1, 80, 2)]
    pts = sorted(set(g for g in grid + edges if feasible(g)))
    vals = floats(c, y, t, pts)
    mins = [i for i in range(len(pts)) if (i == 0 or vals[i] <= vals[i - 1]) and (i == len(pts) - 1 or vals[i] <= vals[i + 1])]
    # Of minima that lie together (rounding of the grid) the best one.
    mins = sorted(mins, key=lambda i: vals[i])
    mins = [i for n, i in enumerate(mins) if all(abs(pts[i] / pts[j] - 1) > mpf("0.003") for j in mins[:n])]
    best, done = None, set()
    for i in mins:
        # Outwards until the derivative has the right sign on either side:
        # close to an edge the grid's 15 digits show false minima.
        start = [mpf(0), mpf(0)]
        left, right, reach = i, i, 1
        va, vb = at(pts[i], start), at(pts[i], start)
        while va[1] > 0 and left > 0:
            left = max(left - reach, 0)
            reach *= 2
            va = at(pts[left], start)
        reach = 1
        while vb[1] < 0 and right < len(pts) - 1:
            right = min(right + reach, len(pts) - 1)
            reach *= 2
            vb = at(pts[right], start)
        if va[1] > 0 or vb[1] < 0 or (left, right) in done:
            continue
        done.add((left, right))
        a, b = pts[left], pts[right]
        val = None
        fa, fb = va[1], vb[1]
        for it in range(400):
            mid = (a * fb - b * fa) / (fb - fa) if it % 3 else (a + b) / 2
            r = at(mid, start)
            val = r[0]
            if r[2]:
                start = r[2]
            if r[1] < 0:
                a, fa = mid, r[1]
            else:
                b, fb = mid, r[1]
            if r[1] == 0 or (b - a) / b < mpf(10) ** -17:
                break
        if best is None or val < best:
            best = val
    if best is None:
        raise ArithmeticError("no minimum")
    return best, len(done)


def floats(c, y, t, sigmas):
    """The same losses in double precision for the whole grid at once."""
    c = np.array([float(v) for v in c])
    y = np.array([float(v) for v in y])
    sig = np.array([float(s) for s in sigmas])
    t = float(t)
    m, s = t * sig, (1 + t * t) * sig**2
    if len(y) == 3:
        p = np.stack([2 * s - m, 1 - 4 * s, 2 * s + m])
        return (c[:, None] * (np.log(c / c.sum())[:, None] - np.log(p))).sum(0)
    F1, F2 = y[:, None] - m, (y**2)[:, None] - s
    # Scale: sigma carries the size of the multipliers.
    a = np.zeros_like(sig)
    b = np.zeros_like(sig)
    for _ in range(120):
        w = 1 + a * F1 + b * F2
        g1 = (c[:, None] * F1 / w).sum(0)
        g2 = (c[:, None] * F2 / w).sum(0)
        h11 = (c[:, None] * F1 * F1 / w**2).sum(0)
        h12 = (c[:, None] * F1 * F2 / w**2).sum(0)
        h22 = (c[:, None] * F2 * F2 / w**2).sum(0)
        det = h11 * h22 - h12 * h12
        det = np.where(det > 0, det, np.inf)
        d1, d2 = (h22 * g1 - h12 * g2) / det, (h11 * g2 - h12 * g1) / det
        dw = (d1 * F1 + d2 * F2) / w
        # Stay inside: at most nine tenths of the way to a pole.
        if np.abs(dw).max() < 1e-7:
            break
        worst = np.maximum((-dw).max(0), 1e-300)
        step = np.minimum(1.0, 0.9 / worst)
        old = (c[:, None] * np.log(w)).sum(0)
        for _ in range(8):
            wn = 1 + (a + step * d1) * F1 + (b + step * d2) * F2
            bad = ~(wn.min(0) > 0) | ((c[:, None] * np.log(np.maximum(wn, 1e-300))).sum(0) < old)
            if not bad.any():
                break
            step = np.where(bad, step / 2, step)
        ok = (wn.min(0) > 0)
        a = np.where(ok, a + step * d1, a)
        b = np.where(ok, b + step * d2, b)
    w = 1 + a * F1 + b * F2
    return (c[:, None] * np.log(w)).sum(0)


PENTA = [
    [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0],
    [0, 0, 0, 0, 5], [5, 0, 0, 0, 0], [0, 0, 5, 0, 0], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1],
    [0, 0, 1, 1, 0], [0, 1, 2, 3, 1], [2, 0, 0, 3, 0], [0, 0, 20, 0, 0], [0, 10, 0, 10, 0],
    [10, 40, 100, 60, 15], [15, 60, 100, 40, 10], [7, 55, 133, 70, 11], [3, 10, 20, 8, 2],
    [1187, 7410, 13475, 7378, 1164], [10789, 19328, 33806, 19402, 10543],
    [39, 2226, 31451, 2412, 40], [20, 301, 5000, 299, 21], [100, 3000, 20000, 3050, 110],
    [5000, 400, 3, 2, 1], [1, 2, 3, 400, 5000], [500, 0, 0, 0, 500], [500, 0, 0, 0, 501],
    [0, 0, 1000, 0, 0], [0, 0, 10000, 0, 0], [0, 0, 1000000, 0, 0], [0, 0, 10000000, 0, 0],
    [0, 0, 0, 0, 1000], [0, 0, 0, 0, 1000000], [0, 0, 0, 0, 10000000],
    [1000, 0, 0, 0, 0], [1000000, 0, 0, 0, 0], [10000000, 0, 0, 0, 0],
    [0, 10000000, 0, 0, 0], [0, 0, 0, 10000000, 0], [0, 1, 999998, 1, 0],
    [0, 1, 9999998, 1, 0], [0, 0, 999999, 1, 0], [0, 1, 999999, 0, 0], [1, 0, 999999, 0, 0],
    [0, 0, 9999999, 0, 1], [1, 0, 9999998, 0, 1], [1, 0, 0, 0, 9999999], [9999999, 0, 0, 0, 1],
    [0, 0, 5000000, 5000000, 0], [0, 5000000, 5000000, 0, 0], [5000000, 0, 0, 0, 5000000],
    [2000000, 2000000, 2000000, 2000000, 2000000], [1000000, 2000000, 4000000, 2000000, 1000000],
    [999999, 2000001, 4000000, 2000001, 999999], [1000, 0, 0, 9999000, 0],
    [0, 9999000, 0, 0, 1000], [1, 10, 100, 1000, 10000], [10000, 1000, 100, 10, 1],
    [3, 0, 0, 0, 9999997], [0, 3333333, 0, 3333333, 3333334], [12, 0, 34, 0, 56],
    [0, 40, 41, 42, 0], [250, 230, 40, 230, 250], [90, 5, 3, 1, 1], [1, 1, 3, 5, 90],
]
TRI = [
    [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 10], [10, 0, 0], [0, 10, 0], [1, 1, 1],
    [310, 520, 402], [65804, 56553, 65388], [13624, 34333, 13543], [5, 90, 5],
    [0, 10000000, 0], [0, 0, 10000000], [10000000, 0, 0], [1, 9999998, 1], [1, 9999999, 0],
    [5000000, 0, 5000000], [1, 0, 9999999], [1000, 20, 3], [3, 20, 1000], [2500000, 5000000, 2500000],
    [0, 500, 500], [500, 500, 0], [45, 2, 53],
]
BOUNDS = [("0", "5"), ("-3", "1"), ("-1.75", "0.25"), ("0", "100"), ("-60", "-20"), ("200", "600")]


def main():
    for line in __doc__.strip().splitlines():
        print("# " + line if line else "#")
    print("#")
    print("# model,elo0,elo1,counts (worst first),llr")
    for counts in PENTA + TRI:
        k = len(counts)
        y = [mpf(i) / (k - 1) - mpf(1) / 2 for i in range(k)]
        c = [mpf(v) if v else EPS for v in counts]
        mean, ratio = {}, {}
        for pair in BOUNDS:
            for elo in pair:
                if elo in mean:
                    continue
                mean[elo] = loss_mean(c, y, tanh(mpf(elo) * LN10 / 800) / 2)
                t = mpf(elo) * LN10 / 800 * (sqrt(mpf(2)) if k == 5 else 1)
                ratio[elo] = loss_ratio(c, y, t) if t else (loss_mean(c, y, mpf(0)), 1)
                if ratio[elo][1] > 1:
                    print("several minima:", counts, elo, ratio[elo][1], file=sys.stderr)
        for e0, e1 in BOUNDS:
            cells = " ".join(map(str, counts))
            print(f"logistic,{e0},{e1},{cells},{mp.nstr(mean[e0] - mean[e1], 20)}")
            print(f"normalized,{e0},{e1},{cells},{mp.nstr(ratio[e0][0] - ratio[e1][0], 20)}")
        print(counts, file=sys.stderr)


main()
