library(testthat)
library(topoi)

# Where the program is not installed there is nothing to test with.
if (!inherits(try(topoi_binary(), silent = TRUE), "try-error")) {
  test_check("topoi")
}
