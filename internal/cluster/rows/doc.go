// Package rows is what a worker of a cluster knows of the model: n_wk and n_k at one version, brought from version to
// version by adding the changes of rounds, and what a part sees of it with its own changes on top.
package rows
