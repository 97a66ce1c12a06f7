"""Calls MALLET as three wrappers of it do, and reads its files as they do.

usage: wrappers.py MALLET DIRECTORY

The wrappers are gensim 3.8's LdaMallet, pycisTopic's LDAMallet (the older one, which
came from gensim's, and the newer one) and little-mallet-wrapper. Their command lines and
the way in which they take files apart are kept; the rest is written for this test.
"""

import gzip
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
from gensim.corpora import Dictionary

mallet, directory = sys.argv[1:]
prefix = os.path.join(directory, "run_")


def equal(got, want, what):
    if got != want:
        sys.exit(f"{what}: {got!r}, want {want!r}")


def close(got, want, what, tolerance=1e-9):
    if not np.allclose(got, want, atol=tolerance, rtol=tolerance):
        sys.exit(f"{what}: {got!r}, want {want!r}")


def documents(n=60, seed=1):
    """Documents of two themes; some words would not survive another spelling."""
    rng = random.Random(seed)
    themes = [
        "Team goal match Zürich ﬁnal chr1:100-200 L'Été".split(),
        "vote Law senate party PARTY chr2:5-9 日本語".split(),
    ]
    return [[rng.choice(themes[d % 2]) for _ in range(15 + d % 5)] for d in range(n)]


def shell(command):
    return subprocess.check_output(args=command, shell=True, stderr=subprocess.STDOUT)


def read_state(path, topics, id2word):
    """gensim's load_word_topics."""
    counts = np.zeros((topics, len(id2word)))
    with gzip.open(path, "rb") as lines:
        next(lines)
        alpha = np.array([float(x) for x in next(lines).split()[2:]])
        equal(len(alpha), topics, "values of alpha")
        next(lines)
        for line in lines:
            doc, source, pos, typeindex, token, topic = line.decode("utf-8").split(" ")
            if token not in id2word.token2id:
                continue
            counts[int(topic), id2word.token2id[token]] += 1.0
    return alpha, counts


def read_doctopics(path, topics):
    """gensim's read_doctopics."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines):
            if number == 0 and line.startswith(b"#doc "):
                continue
            parts = line.split()[2:]
            if len(parts) == 2 * topics:
                yield [(int(k), float(x)) for k, x in zip(parts[::2], parts[1::2])]
            elif len(parts) == topics:
                yield [(k, float(x)) for k, x in enumerate(parts)]
            else:
                sys.exit(f"{path}:{number + 1}: {len(parts)} columns of {topics} topics")


def gensim_and_older_pycistopic(extra):
    texts = documents()
    id2word = Dictionary(texts)
    corpus = [id2word.doc2bow(text) for text in texts]
    topics = 4
    with open(prefix + "corpus.txt", "wb") as out:
        for number, bag in enumerate(corpus):
            tokens = [id2word[word] for word, count in bag for _ in range(count)]
            out.write(("%s 0 %s\n" % (number, " ".join(tokens))).encode("utf-8"))
    imported = ' import-file --preserve-case --keep-sequence --remove-stopwords --token-regex "\\S+" --input %s --output %s'
    shell(mallet + imported % (prefix + "corpus.txt", prefix + "corpus.mallet"))
    equal(os.path.isfile(prefix + "corpus.mallet"), True, "a corpus that is a file")
    train = (
        " train-topics --input %s --num-topics %s  --alpha %s " + extra + "--optimize-interval %s "
        "--num-threads %s --output-state %s --output-doc-topics %s --output-topic-keys %s "
        "--num-iterations %s --inferencer-filename %s --doc-topics-threshold %s  --random-seed %s"
    )
    shell(
        mallet
        + train
        % (
            prefix + "corpus.mallet",
            topics,
            50,
            0,
            4,
            prefix + "state.mallet.gz",
            prefix + "doctopics.txt",
            prefix + "topickeys.txt",
            40,
            prefix + "inferencer.mallet",
            0.0,
            "555",
        )
    )

    alpha, counts = read_state(prefix + "state.mallet.gz", topics, id2word)
    close(alpha, [12.5] * topics, "alpha")
    frequencies = Counter(word for text in texts for word in text)
    for word, number in id2word.token2id.items():
        equal(counts[:, number].sum(), frequencies[word], "tokens of " + word)
    shares = list(read_doctopics(prefix + "doctopics.txt", topics))
    equal(len(shares), len(texts), "documents")
    for document in shares:
        equal([k for k, _ in document], list(range(topics)), "topics in columns")
        close(sum(x for _, x in document), 1, "sum of shares")

    with open(prefix + "corpus.txt", "w", encoding="utf-8") as out:
        out.write("0 0 goal match unheard goal\n1 0 \n")
    shell(
        mallet
        + imported % (prefix + "corpus.txt", prefix + "corpus.mallet.infer")
        + " --use-pipe-from "
        + prefix
        + "corpus.mallet"
    )
    infer = " infer-topics --input %s --inferencer %s --output-doc-topics %s --num-iterations %s --doc-topics-threshold %s --random-seed %s"
    shell(
        mallet
        + infer
        % (
            prefix + "corpus.mallet.infer",
            prefix + "inferencer.mallet",
            prefix + "doctopics.txt.infer",
            100,
            0.0,
            "555",
        )
    )
    new = list(read_doctopics(prefix + "doctopics.txt.infer", topics))
    equal(len(new), 2, "new documents")
    close([x for _, x in new[1]], [0.25] * topics, "shares of an empty document")
    # gensim asks for the topics of an empty document by itself.
    with open(prefix + "corpus.txt", "w", encoding="utf-8") as out:
        out.write("0 0 \n")
    shell(
        mallet
        + imported % (prefix + "corpus.txt", prefix + "empty.infer")
        + " --use-pipe-from "
        + prefix
        + "corpus.mallet"
    )
    shell(
        mallet
        + infer
        % (
            prefix + "empty.infer",
            prefix + "inferencer.mallet",
            prefix + "empty.txt",
            100,
            0.0,
            "555",
        )
    )
    close(
        [x for _, x in list(read_doctopics(prefix + "empty.txt", topics))[0]],
        [0.25] * topics,
        "shares of an empty document alone",
    )
    # A threshold lists topics by falling share, as before 2.0.8.
    shell(
        mallet
        + infer
        % (
            prefix + "corpus.mallet.infer",
            prefix + "inferencer.mallet",
            prefix + "doctopics.txt.infer",
            100,
            1e-9,
            "555",
        )
    )
    listed = list(read_doctopics(prefix + "doctopics.txt.infer", topics))
    equal([x for _, x in listed[0]], sorted((x for _, x in new[0]), reverse=True), "listed shares")
    equal(dict(listed[0]), dict(new[0]), "shares by topic")


def newer_pycistopic():
    rng = np.random.default_rng(1)
    matrix = (rng.random((30, 50)) < 0.2).astype(int)  # regions by cells
    matrix[:, 7] = 0
    corpus, topics = prefix + "cells", 5
    with open(corpus + ".txt", "w") as out:
        for cell in range(matrix.shape[1]):
            out.write(f"{cell}\t0\t{' '.join(str(r) for r in np.flatnonzero(matrix[:, cell]))}\n")
    run = lambda *args: subprocess.check_output(
        args=[mallet, *args], shell=False, stderr=subprocess.STDOUT
    )
    run(
        "import-file",
        "--preserve-case",
        "--keep-sequence",
        "--token-regex",
        "\\S+",
        "--input",
        corpus + ".txt",
        "--output",
        corpus,
    )
    model = prefix + "cells.model"
    run(
        "train-topics",
        "--input",
        corpus,
        "--num-topics",
        str(topics),
        "--alpha",
        "50",
        "--beta",
        "0.1",
        "--optimize-interval",
        "0",
        "--optimize-burn-in",
        "50",
        "--num-threads",
        "1",
        "--num-iterations",
        "20",
        "--word-topic-counts-file",
        prefix + "regions.txt",
        "--output-doc-topics",
        prefix + "cells.tsv",
        "--doc-topics-threshold",
        "0.0",
        "--random-seed",
        "555",
        "--output-model",
        model,
    )
    os.rename(model, model + ".20")  # as it does with the last model
    first = open(prefix + "cells.tsv").read()

    # A run that was ended goes on from the newest model, by as many sweeps as are left; so does one without models on the way.
    def resumed(name, done, left, *more):
        run(
            "train-topics",
            "--input-model",
            f"{name}.{done}",
            "--input",
            corpus,
            "--num-topics",
            str(topics),
            "--alpha",
            "50",
            "--beta",
            "0.1",
            "--optimize-interval",
            "0",
            "--optimize-burn-in",
            str(max(0, 50 - done)),
            "--num-threads",
            "1",
            "--num-iterations",
            str(left),
            "--word-topic-counts-file",
            prefix + "regions.txt",
            "--output-doc-topics",
            prefix + "cells.tsv",
            "--doc-topics-threshold",
            "0.0",
            "--random-seed",
            "555",
            "--output-model",
            name,
            *more,
        )

    other = prefix + "parts.model"
    run(
        "train-topics",
        "--input",
        corpus,
        "--num-topics",
        str(topics),
        "--alpha",
        "50",
        "--beta",
        "0.1",
        "--optimize-interval",
        "0",
        "--optimize-burn-in",
        "50",
        "--num-threads",
        "1",
        "--num-iterations",
        "12",
        "--random-seed",
        "555",
        "--output-model",
        other,
        "--output-model-interval",
        "5",
    )
    equal(
        sorted(f for f in os.listdir(directory) if f.startswith("run_parts.model")),
        ["run_parts.model", "run_parts.model.10", "run_parts.model.5"],
        "models on the way",
    )
    resumed(other, 10, 10, "--output-model-interval", "5")
    equal(os.path.exists(other + ".20"), True, "the model of the last sweep")
    equal(len(open(prefix + "cells.tsv").readlines()), 50, "cells after resuming")
    resumed(model, 20, 5)
    equal(open(prefix + "cells.tsv").read() == first, False, "five more sweeps change nothing")
    resumed(model, 20, 0)
    equal(open(prefix + "cells.tsv").read(), first, "no more sweeps")
    run(
        "train-topics",
        "--input",
        corpus,
        "--num-topics",
        str(topics),
        "--alpha",
        "50",
        "--beta",
        "0.1",
        "--optimize-interval",
        "0",
        "--num-iterations",
        "20",
        "--word-topic-counts-file",
        prefix + "regions.txt",
        "--output-doc-topics",
        prefix + "cells.tsv",
        "--random-seed",
        "555",
    )

    table = pd.read_csv(prefix + "cells.tsv", sep="\t", header=None)
    equal(table.shape, (50, 2 + topics), "cells by topics")
    equal(list(table[1]), list(range(50)), "names of cells")
    theta = table.iloc[:, 2:].to_numpy(np.float32)
    close(theta.sum(axis=1), np.ones(50), "sums of cells", 1e-5)
    close(theta[7], [0.2] * topics, "a cell without regions", 1e-6)

    counts = np.zeros((topics, 30), int)
    with open(prefix + "regions.txt") as lines:
        for line in lines:
            columns = line.rstrip().split()
            pairs = [pair.split(":", 1) for pair in columns[2:]]
            numbers = [int(n) for _, n in pairs]
            equal(numbers, sorted(numbers, reverse=True), "falling counts")
            for k, n in pairs:
                counts[int(k), int(columns[1])] = int(n)
    equal(counts.sum(axis=0).tolist(), matrix.sum(axis=1).tolist(), "counts of regions")
    cells = matrix.sum(axis=0)
    close(
        (theta * (cells[:, None] + 50) - 10).sum(axis=0),
        counts.sum(axis=1),
        "tokens by topic, from shares and from counts",
        1e-3,
    )


def little_mallet_wrapper():
    texts = [" ".join(text) for text in documents(40, 2)]
    path = lambda name: os.path.join(directory, name)
    topics = 3
    with open(path("training.txt"), "w", encoding="utf-8") as out:
        for number, text in enumerate(texts):
            out.write(str(number) + " no_label " + text + "\n")
    equal(
        os.system(
            mallet
            + ' import-file --input "'
            + path("training.txt")
            + '"'
            + ' --output "'
            + path("mallet.training")
            + '"'
            + " --keep-sequence"
            + " --preserve-case"
        ),
        0,
        "import",
    )
    equal(
        os.system(
            mallet
            + ' train-topics --input "'
            + path("mallet.training")
            + '"'
            + " --num-topics "
            + str(topics)
            + ' --inferencer-filename "'
            + path("mallet.model.3")
            + '"'
            + ' --output-topic-keys "'
            + path("mallet.topic_keys.3")
            + '"'
            + ' --output-doc-topics "'
            + path("mallet.topic_distributions.3")
            + '"'
            + ' --topic-word-weights-file "'
            + path("mallet.word_weights.3")
            + '"'
            + ' --diagnostics-file "'
            + path("mallet.diagnostics.3.xml")
            + '"'
            + " --optimize-interval 10"
            + ' --num-iterations 60 --optimize-burn-in 20 --output-state "'
            + path("state.gz")
            + '"'
        ),
        0,
        "train",
    )

    keys = [
        line.split("\t")[2].split() for line in open(path("mallet.topic_keys.3"), encoding="utf-8")
    ]
    equal(len(keys), topics, "topics")
    distributions = []
    for line in open(path("mallet.topic_distributions.3"), encoding="utf-8"):
        if line.split()[0] != "#doc":
            distributions.append([float(p) for p in line.split("\t")[2:]])
    equal(len(distributions), len(texts), "documents")
    weights, sums = defaultdict(dict), defaultdict(float)
    for line in open(path("mallet.word_weights.3"), encoding="utf-8"):
        topic, word, weight = line.split("\t")
        weights[int(topic)][word] = float(weight)
        sums[int(topic)] += float(weight)
    for k, words in enumerate(keys):
        top = sorted(weights[k].values(), reverse=True)[: len(words)]
        equal([weights[k][word] for word in words], top, "weights of the top words")
    diagnostics(path("mallet.diagnostics.3.xml"), path("state.gz"), distributions, weights, keys)

    equal(
        os.system(
            mallet
            + ' import-file --input "'
            + path("training.txt")
            + '"'
            + ' --output "'
            + path("new")
            + '"'
            + " --keep-sequence"
            + ' --use-pipe-from "'
            + path("mallet.training")
            + '"'
            + " --preserve-case"
        ),
        0,
        "import by a pipe",
    )
    equal(
        os.system(
            mallet
            + ' infer-topics --input "'
            + path("new")
            + '"'
            + " --num-iterations 100"
            + ' --inferencer "'
            + path("mallet.model.3")
            + '"'
            + ' --output-doc-topics "'
            + path("new_distributions")
            + '"'
        ),
        0,
        "infer",
    )
    inferred = [
        [float(p) for p in line.split("\t")[2:]]
        for line in open(path("new_distributions"), encoding="utf-8")
        if line.split()[0] != "#doc"
    ]
    near = np.abs(np.array(inferred) - np.array(distributions)).mean()
    if near > 0.1:
        sys.exit(f"inferred shares differ by {near} in the mean from those of training")


def diagnostics(path, state, distributions, weights, keys):
    """Every measure of the diagnostics, from the state alone."""
    tokens = []
    with gzip.open(state, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#beta : "):
                beta = float(line.split()[2])
            if not line.startswith("#"):
                doc, _, _, _, word, topic = line.split(" ")
                tokens.append((int(doc), word, int(topic)))
    frequency = Counter(word for _, word, _ in tokens)
    n_wk, n_k = Counter((word, k) for _, word, k in tokens), Counter(k for _, _, k in tokens)
    n_dk = Counter((doc, k) for doc, _, k in tokens)
    having = defaultdict(set)
    for doc, word, k in tokens:
        having[word, k].add(doc)
    phi = {
        k: {w: x / sum(words.values()) for w, x in words.items()} for k, words in weights.items()
    }
    root = xml.parse(path).getroot()
    equal(len(root), len(keys), "topics in the diagnostics")
    for topic in root:
        k = int(topic.get("id"))
        top = [word.text for word in topic]
        equal(top, keys[k], "top words of the diagnostics")
        p = {w: n / n_k[k] for (w, j), n in n_wk.items() if j == k}
        docs = {d: n for (d, j), n in n_dk.items() if j == k}
        share = lambda least: sum(distributions[d][k] >= least for d in docs)
        best = sum(
            n == max(n_dk[d, j] for j in range(len(keys))) and all(n_dk[d, j] < n for j in range(k))
            for d, n in docs.items()
        )
        pairs = [
            np.log((len(having[v, k] & having[w, k]) + beta) / (len(having[v, k]) + beta))
            for i, w in enumerate(top)
            for v in top[:i]
        ]
        a = np.array([n_wk[w, k] for w in top]) / sum(n_wk[w, k] for w in top)
        b = np.array([len(having[w, k]) for w in top]) / sum(len(having[w, k]) for w in top)
        own = [phi[k][w] / sum(phi[j][w] for j in phi) for w in top]
        want = {
            "tokens": n_k[k],
            "document_entropy": -sum(n / n_k[k] * np.log(n / n_k[k]) for n in docs.values()),
            "word-length": np.mean([len(w) for w in top]),
            "coherence": sum(pairs),
            "uniform_dist": sum(x * np.log(x * len(frequency)) for x in p.values()),
            "corpus_dist": sum(x * np.log(x * len(tokens) / frequency[w]) for w, x in p.items()),
            "eff_num_words": 1 / sum(x * x for x in p.values()),
            "token-doc-diff": sum(a * np.log(2 * a / (a + b)) + b * np.log(2 * b / (a + b))) / 2,
            "rank_1_docs": best / len(docs),
            "allocation_ratio": share(0.5) / share(0.02),
            "allocation_count": share(0.3) / len(docs),
            "exclusivity": np.mean(own),
        }
        equal(list(topic.keys()), ["id", *want], "measures of a topic")
        for name, value in want.items():
            close(float(topic.get(name)), value, name, 1e-4)
        for rank, word in enumerate(topic):
            equal(int(word.get("rank")), rank + 1, "rank")
            equal(int(word.get("count")), n_wk[word.text, k], "count")
            equal(int(word.get("docs")), len(having[word.text, k]), "docs")
            close(float(word.get("exclusivity")), own[rank], "exclusivity of a word", 1e-4)
            close(
                float(word.get("cumulative")),
                sum(p[w] for w in top[: rank + 1]),
                "cumulative",
                1e-5,
            )


gensim_and_older_pycistopic("")
gensim_and_older_pycistopic("--beta 0.1 ")
newer_pycistopic()
little_mallet_wrapper()
print("all wrappers are served")
