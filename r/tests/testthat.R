library(testthat)
library(topoi)

test_check("topoi")
