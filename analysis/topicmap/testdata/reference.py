#!/usr/bin/env python3
"""Computes reference.json: distances, map, tree and correlations of a small model, with
all zeros, by NumPy and SciPy. Run it as

    python3 reference.py > reference.json

The Jensen-Shannon divergence is the square of scipy.spatial.distance.jensenshannon; the map
is numpy.linalg.eigh of the doubly centred squares, as pyLDAvis 3.4 (_prepare.py, _pcoa)
has it; the tree is scipy.cluster.hierarchy.linkage(method="average"); correlations are
numpy.corrcoef of theta.
"""

import json
import sys

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import jensenshannon, squareform

V, K, beta = 50, 7, 0.02
state = 4711


def draw(n):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return (state >> 12) % n


counts = np.array([[draw(30) if draw(4) == 0 else 0 for _ in range(K)] for _ in range(V)])
nk = counts.sum(axis=0)
phi = ((counts + beta) / (nk + V * beta)).T

js = np.array([[jensenshannon(p, q) ** 2 for q in phi] for p in phi])
np.fill_diagonal(js, 0)
hellinger = np.sqrt(np.maximum(0, 1 - np.sqrt(phi) @ np.sqrt(phi).T))
np.fill_diagonal(hellinger, 0)


def pcoa(d):
    centre = np.eye(K) - np.ones((K, K)) / K
    values, vectors = np.linalg.eigh(-centre @ d**2 @ centre / 2)
    return (vectors[:, [-1, -2]] * np.sqrt(values[[-1, -2]])).tolist(), (
        values[[-1, -2]] / values[values > 0].sum()
    ).tolist()


points, explained = pcoa(js)
alpha = [0.1 * (k + 1) for k in range(K)]
docs = [
    [draw(K) if draw(3) else d % K for _ in range(draw(12))] for d in range(60)
]  # topics of tokens
theta = np.array([(np.bincount(z, minlength=K) + alpha) / (len(z) + sum(alpha)) for z in docs if z])

json.dump(
    {
        "beta": beta,
        "counts": counts.tolist(),
        "jensen_shannon": js.tolist(),
        "hellinger": hellinger.tolist(),
        "points": points,
        "explained": explained,
        "linkage": linkage(squareform(js, checks=False), method="average").tolist(),
        "alpha": alpha,
        "docs": docs,
        "correlations": np.corrcoef(theta.T).tolist(),
    },
    fp=sys.stdout,
)
print()
