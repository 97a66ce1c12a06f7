#!/usr/bin/env python3
"""Computes reference.json: the metrics of two small models, with all zeros, by NumPy, SciPy
and gensim. Run it as

    /usr/bin/python3 reference.py > reference.json

A model is documents with a topic for every token. Definitions, from their sources:
completion (Wallach et al. 2009, 5.1, by 60 steps of EM); CaoJuan2009, Arun2010 and Deveaud2014
as the papers have them (the last with the symmetric divergence of R's ldatuning, FindTopicsNumber);
Griffiths2004 by logsumexp; exclusivity as stm 1.3 (R/exclusivity.R); rank-biased overlap by the sums of
Webber et al. 2010, Eq. 32; UMass by Mimno et al. 2011; NPMI by Bouma 2009; C_V by gensim's
CoherenceModel with a window longer than every text; stability by scipy's
linear_sum_assignment on Jaccard indices of 20 top words.
"""

import json
import sys

import numpy as np
from gensim.corpora import Dictionary
from gensim.models.coherencemodel import CoherenceModel
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cosine
from scipy.special import gammaln, logsumexp
from scipy.stats import entropy, rankdata


class Lcg:
    def __init__(self, state):
        self.state = state

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def documents(rng, D, V, K, longest):
    """Documents about one of K themes each, sorted, and topics that follow the themes."""
    docs, topics = [], []
    for _ in range(D):
        theme, length = rng.below(K), 2 + rng.below(longest)
        words = sorted(
            (theme * (V // K) + rng.below(V // K + 3)) % V if rng.below(4) else rng.below(V)
            for _ in range(length)
        )
        docs.append(words)
        topics.append([theme if rng.below(5) else rng.below(K) for _ in words])
    return docs, topics


def counts(docs, topics, V, K):
    nwk, ndk = np.zeros((V, K)), np.zeros((len(docs), K))
    for d, (words, z) in enumerate(zip(docs, topics)):
        for w, k in zip(words, z):
            nwk[w, k] += 1
            ndk[d, k] += 1
    return nwk, ndk


def top_words(nwk, n):
    lists = []
    for k in range(nwk.shape[1]):
        order = sorted(range(nwk.shape[0]), key=lambda w: (-nwk[w, k], w))
        lists.append([w for w in order if nwk[w, k] > 0][:n])
    return lists


def completion(phi, alpha, heldout):
    score, scored = 0.0, 0
    for words in heldout:
        seen, asked = words[0::2], words[1::2]
        theta = np.full(len(alpha), 1 / len(alpha))
        for _ in range(60):
            r = theta * phi[seen]
            theta = alpha + (r / r.sum(axis=1, keepdims=True)).sum(axis=0)
            theta /= theta.sum()
        score += np.log(phi[asked] @ theta).sum()
        scored += len(asked)
    return score / scored


def exclusivity(phi):
    ex = np.apply_along_axis(
        lambda c: rankdata(np.round(c, 12)), 0, phi / phi.sum(axis=1, keepdims=True)
    ) / len(phi)
    fr = np.apply_along_axis(lambda c: rankdata(np.round(c, 12)), 0, phi) / len(phi)
    score = 1 / (0.7 / ex + 0.3 / fr)
    best = np.argsort(-np.round(phi, 14), axis=0, kind="stable")[:10]
    return [score[best[:, k], k].sum() for k in range(phi.shape[1])]


def rbo(a, b, p=0.9):
    S, L = sorted([a, b], key=len)
    s, l = len(S), len(L)
    X = lambda d: len(set(S[:d]) & set(L[:d]))
    first = sum(X(d) / d * p**d for d in range(1, l + 1))
    second = sum(X(s) * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * (first + second) + ((X(l) - X(s)) / l + X(s) / s) * p**l


def pairs(K):
    return [(i, j) for i in range(K) for j in range(i + 1, K)]


def arun(phi, ndk, alpha):
    lengths = ndk.sum(axis=1, keepdims=True)
    theta = (ndk + alpha) / (lengths + alpha.sum())
    L = np.sort((lengths * theta).sum(axis=0))[::-1]
    sigma = np.sort(np.linalg.svd(phi, compute_uv=False))[::-1]
    return entropy(sigma / sigma.sum(), L / L.sum()) + entropy(L / L.sum(), sigma / sigma.sum())


def coherence(docs, top):
    holds = np.zeros((len(docs), 1 + max(max(d) for d in docs)), dtype=bool)
    for d, words in enumerate(docs):
        holds[d, words] = True
    D = len(docs)
    umass, npmi = [], []
    for words in top:
        u, n = [], []
        for i in range(len(words)):
            for j in range(i):
                a, b = holds[:, words[i]], holds[:, words[j]]
                both = (a & b).sum()
                u.append(np.log((both + 1) / b.sum()))
                if both == 0 or both == D:
                    n.append(-1 if both == 0 else 1)
                else:
                    n.append(np.log(both * D / (a.sum() * b.sum())) / -np.log(both / D))
        umass.append(np.mean(u))
        npmi.append(np.mean(n))
    texts = [[f"w{w}" for w in words] for words in docs]
    cv = CoherenceModel(
        topics=[[f"w{w}" for w in words] for words in top],
        texts=texts,
        dictionary=Dictionary(texts),
        coherence="c_v",
        topn=10,
        window_size=10**6,
        processes=1,
    ).get_coherence_per_topic()
    return umass, npmi, [float(x) for x in cv]


def words_given(nwk, beta):
    V = nwk.shape[0]
    return float(
        (gammaln(V * beta) - gammaln(nwk.sum(axis=0) + V * beta)).sum()
        + (gammaln(nwk + beta) - gammaln(beta)).sum()
    )


def jaccard(a, b):
    return len(set(a) & set(b)) / len(set(a) | set(b))


def matched(a, b):
    table = np.array([[jaccard(x, y) for y in b] for x in a])
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].mean())


def model(seed, D, V, K, longest, alpha, beta):
    rng = Lcg(seed)
    docs, topics = documents(rng, D, V, K, longest)
    heldout, _ = documents(rng, 6, V, K, longest)
    nwk, ndk = counts(docs, topics, V, K)
    alpha, phi = np.array(alpha), (nwk + beta) / (nwk.sum(axis=0) + V * beta)
    top = top_words(nwk, 10)
    umass, npmi, cv = coherence(docs, top)
    # Other seeds: the same documents, other topics for some of the tokens.
    others = [[[k if rng.below(3) else rng.below(K) for k in z] for z in topics] for _ in range(2)]
    tables = [nwk] + [counts(docs, z, V, K)[0] for z in others]
    tops = [top_words(t, 20) for t in tables]
    agree = [[matched(a, b) for b in tops] for a in tops]
    states = [words_given(t, beta) for t in tables]
    return {
        "words": V,
        "alpha": alpha.tolist(),
        "beta": beta,
        "docs": docs,
        "topics": topics,
        "heldout": heldout,
        "others": others,
        "values": {
            "heldout": completion(phi, alpha, heldout),
            "umass": np.mean(umass),
            "npmi": np.mean(npmi),
            "c_v": np.mean(cv),
            "exclusivity": np.mean(exclusivity(phi)),
            "diversity": len({w for t in top for w in t}) / sum(len(t) for t in top),
            "inverted_rbo": 1 - np.mean([rbo(top[i], top[j]) for i, j in pairs(K)]),
            "cao_juan_2009": np.mean([1 - cosine(phi[:, i], phi[:, j]) for i, j in pairs(K)]),
            "arun_2010": arun(phi, ndk, alpha),
            "deveaud_2014": sum(
                (entropy(phi[:, i], phi[:, j]) + entropy(phi[:, j], phi[:, i])) / 2
                for i, j in pairs(K)
            )
            / (K * (K - 1)),
            "griffiths_2004": -(logsumexp(-np.array(states)) - np.log(len(states))),
            "stability": np.mean([agree[0][1], agree[0][2]]),
        },
        "per_topic": {"umass": umass, "npmi": npmi, "c_v": cv, "exclusivity": exclusivity(phi)},
        "states": states,
        "agreement": agree,
    }


json.dump(
    [
        model(7, 60, 80, 4, 30, [0.3, 0.3, 0.3, 0.3], 0.05),
        model(11, 25, 33, 7, 9, [0.1, 0.7, 0.2, 0.05, 0.4, 1.5, 0.3], 0.01),
    ],
    sys.stdout,
    default=float,
)
print()
