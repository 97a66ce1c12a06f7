package prior

// Values of topoi.Options.Prior.
const (
	HDP          = "hdp"        // a hierarchical Dirichlet process finds the number of topics
	ByLabels     = "labels"     // the topics of a document are those of its labels
	ByCovariates = "covariates" // the topics of a document depend on its columns
)

// Names lists the values of topoi.Options.Prior.
func Names() []string { return []string{HDP, ByLabels, ByCovariates} }
