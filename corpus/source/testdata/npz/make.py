"""Writes the matrices beside this file with scipy and numpy."""

import os

import numpy as np
import scipy.sparse as sp

os.chdir(os.path.dirname(os.path.abspath(__file__)))
counts = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 3, 0, 1], [1, 1, 1, 1], [0, 0, 0, 7]])

for form in ("csr", "csc", "coo", "bsr"):
    sp.save_npz(f"{form}.npz", sp.csr_matrix(counts).asformat(form), compressed=False)
sp.save_npz("deflated.npz", sp.csr_matrix(counts.astype(np.float64)), compressed=True)
wide = sp.csc_matrix(counts.astype(np.float32))
wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
sp.save_npz("int64-indices.npz", wide)
doubled = sp.csr_matrix(
    (np.array([1, 1, 0, 5], np.uint8), np.array([2, 2, 3, 0]), np.array([0, 3, 4])), shape=(2, 4)
)
sp.save_npz("doubled.npz", doubled)
sp.save_npz("bool.npz", sp.csr_matrix(counts > 0))
sp.save_npz("tfidf.npz", sp.csr_matrix(counts * 0.25))
sp.save_npz("negative.npz", sp.csr_matrix(-counts))
np.savez("plain.npz", a=counts, b=counts)

np.save("rows.npy", counts)
np.save("fortran.npy", np.asfortranarray(counts.astype(np.float32)))
np.save("big-endian.npy", counts.astype(">u2"))
np.save("flat.npy", counts.ravel())
np.save("objects.npy", np.array([["a", 1], [None, 2]], object))
np.save("nan.npy", np.array([[1.0, np.nan]]))
