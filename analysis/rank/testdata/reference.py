#!/usr/bin/env python3
"""Computes reference.json: the measures of package rank for a small model, with all
zeros, by NumPy and SciPy. Run it as

    python3 reference.py > reference.json

Definitions: relevance and lift as in pyLDAvis 3.4 (_prepare.py, _topic_info: log_lift,
log_ttd); FREX without shrinkage and exclusivity as in stm 1.3 (R/STMfunctions.R,
calcfrex; R/exclusivity.R, exclusivity), whose rank() gives equal values the mean of their
ranks; saliency as in Chuang, Manning and Heer 2012, Eq. 1 and 2.
"""

import json

import numpy as np
from scipy.stats import rankdata

V, K, beta = 40, 4, 0.05
state, counts = 12345, np.zeros((V, K), dtype=int)
for w in range(V):
    for k in range(K):
        state = (state * 1103515245 + 12345) % 2**31
        if state >> 16 & 7 < 3:
            counts[w, k] = (state >> 20 & 63) // (w // 8 + 1)
    counts[w, w % K] += w % 3  # some equal ones
counts[:, 3] = 0
counts[[5, 17, 20], 3] = [7, 7, 1]  # a topic of fewer than ten words
counts[counts.sum(axis=1) == 0, 0] = 1

nw, nk, N = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
phi = (counts + beta) / (nk + V * beta)
lift = phi / (nw / N)[:, None]


def relevance(lam):
    return lam * np.log(phi) + (1 - lam) * np.log(lift)


def ranks(values):  # rounded, so that equal values are equal whatever the order of summation
    return np.apply_along_axis(lambda c: rankdata(np.round(c, 12), method="average"), 0, values) / V


exclusive = phi / phi.sum(axis=1, keepdims=True)
fr, ex = ranks(phi), ranks(exclusive)


def frex(weight):
    return 1 / (weight / fr + (1 - weight) / ex)


def exclusivity(M=10, weight=0.7):
    score = 1 / (weight / ex + (1 - weight) / fr)
    best = np.argsort(-phi, axis=0, kind="stable")[:M]
    return [score[best[:, k], k].sum() for k in range(K)]


given = counts / nw[:, None]
with np.errstate(divide="ignore", invalid="ignore"):
    distinct = np.where(given > 0, given * np.log(given / (nk / N)), 0).sum(axis=1)

json.dump(
    {
        "beta": beta,
        "counts": counts.tolist(),
        "phi": phi.tolist(),
        "lift": lift.tolist(),
        "relevance": {str(lam): relevance(lam).tolist() for lam in (0, 0.3, 0.6, 1)},
        "frex": {str(w): frex(w).tolist() for w in (0.2, 0.5)},
        "exclusivity": exclusivity(),
        "saliency": (nw / N * distinct).tolist(),
    },
    fp=__import__("sys").stdout,
)
print()
