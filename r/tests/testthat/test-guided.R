cars <- rep(
  c("engine road tyre engine wheel", "road tyre brake wheel engine", "brake road tyre wheel road"),
  4
)
space <- rep(
  c(
    "orbit moon rocket star moon",
    "planet moon rocket star orbit",
    "orbit star planet rocket moon"
  ),
  4
)
guided <- function(...) {
  topoi_train(
    c(cars, space),
    2,
    seeds = list(space = c("orbit", "moon*"), cars = "engine"),
    min_df = 1,
    max_df = 1,
    language = "none",
    iterations = 40,
    progress = FALSE,
    ...
  )
}

test_that("seeded topics come first, with their names", {
  model <- guided()
  expect_true("space" %in% unlist(topoi_topics(model)))
  expect_error(topoi_train(cars, 2, seeds = c("a", "b"), progress = FALSE), "named list")
})

test_that("updates and edits make new models", {
  model <- guided()
  new <- topoi_update(model, c("engine battery charger road", "battery charger wheel tyre"))
  expect_equal(new$manifest$docs, 2)
  expect_equal(topoi_edit(model, merge = c(0, 1), renumber = TRUE)$manifest$topics, 1)
  expect_equal(topoi_edit(model, split = c("0" = 2))$manifest$topics, 3)
  expect_error(topoi_edit(model, merge = c(0, 9)), "there is no topic 9")
})

test_that("some priors say themselves how many topics there are", {
  how <- list(min_df = 1, max_df = 1, language = "none", iterations = 40, progress = FALSE)
  model <- do.call(
    topoi_train,
    c(
      list(c(cars, space), labels = rep(c("cars", "space"), each = 12), prior = "labels", free = 1),
      how
    )
  )
  expect_equal(model$manifest$topics, 3)
  expect_true("space" %in% unlist(topoi_topics(model)))
  expect_error(do.call(topoi_train, c(list(cars), how)), "number of topics is missing")
})
