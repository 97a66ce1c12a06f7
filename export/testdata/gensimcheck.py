"""Opens an export for gensim and two SciPy matrices, and prints what they hold as JSON."""

import importlib.util
import json
import os
import sys

import scipy.sparse
from gensim.corpora import MmCorpus

directory, topic_words, doc_topics = sys.argv[1:]
spec = importlib.util.spec_from_file_location("load", os.path.join(directory, "load.py"))
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
model = script.load()
corpus = list(MmCorpus(os.path.join(directory, "corpus.mm")))

json.dump(
    {
        "phi": model.get_topics().tolist(),
        "alpha": model.alpha.tolist(),
        "words": [model.id2word[i] for i in range(len(model.id2word))],
        "doc_frequency": [model.id2word.dfs[i] for i in range(len(model.id2word))],
        "docs": [[[int(w), int(n)] for w, n in doc] for doc in corpus],
        "theta": [
            sum(p for _, p in model.get_document_topics(doc, minimum_probability=0))
            for doc in corpus
        ],
        "topic_words": scipy.sparse.load_npz(topic_words).toarray().tolist(),
        "doc_topics": scipy.sparse.load_npz(doc_topics).toarray().tolist(),
    },
    sys.stdout,
)
