package effects

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// script fits every draw of every topic with lm and pools the draws; it prints estimate
// and standard error of each coefficient, topic after topic.
const script = `
d <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
y <- read.csv(commandArgs(TRUE)[2])
for (k in unique(y$topic)) {
  b <- w <- NULL
  for (s in unique(y$draw)) {
    d$y <- y$y[y$topic == k & y$draw == s]
    fit <- lm(y ~ party * splines::bs(x, df = 5) + log(z), d)
    b <- rbind(b, coef(fit))
    w <- rbind(w, diag(vcov(fit)))
  }
  se <- sqrt(colMeans(w) + (1 + 1 / nrow(b)) * apply(b, 2, var))
  cat(sprintf("%.17g %.17g", colMeans(b), se), sep = "\n")
}
`

// Effects are those of R's lm on the same draws, with its B-splines and its coding of
// categories.
func TestEffectsAreThoseOfR(t *testing.T) {
	program.Need(t, "TOPOI_REQUIRE_R", "there is no R", "Rscript", "-e", "library(splines)")
	const draws = 4
	m, columns := study(8, 120)
	z := make(values, 120)
	for d := range z {
		z[d] = strconv.Itoa(1 + d%17)
	}
	columns = append(columns, columns[1])
	columns[4].Name, columns[4].Values = "z", z
	o := Options{Formula: "~ party * s(x, 5) + log(z)", Columns: columns, Draws: draws, Seed: 3}
	got := compute(t, m, o)

	table, shares := bytes.NewBufferString("party,x,z\n"), bytes.NewBufferString("topic,draw,y\n")
	for d := 1; d < 120; d++ { // x of document 0 is missing
		fmt.Fprintf(table, "%s,%s,%s\n", columns[0].Values.At(d), columns[1].Values.At(d), z[d])
	}
	r, err := prepare(m, o)
	if err != nil {
		t.Fatal(err)
	}
	r.scale = newScale(r.design)
	e, w, y := r.newReader(), r.posterior.newDrawer(), make([]float64, 4)
	for k := range 4 {
		for s := range draws {
			for _, d := range r.design.docs {
				w.draw(y, o.Seed, s, d, e.read(d), e.counts)
				fmt.Fprintf(shares, "%d,%d,%.17g\n", k, s, y[k])
			}
		}
	}
	dir := t.TempDir()
	for name, content := range map[string]*bytes.Buffer{"table.csv": table, "shares.csv": shares, "fit.R": bytes.NewBufferString(script)} {
		if err := os.WriteFile(filepath.Join(dir, name), content.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("Rscript", "--vanilla", "fit.R", "table.csv", "shares.csv")
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for k := range got.Effects {
		for i, effect := range got.Effects[k] {
			if !lines.Scan() {
				t.Fatalf("R printed too few lines:\n%s", out)
			}
			var estimate, se float64
			if _, err := fmt.Sscan(strings.TrimSpace(lines.Text()), &estimate, &se); err != nil {
				t.Fatalf("%q: %v", lines.Text(), err)
			}
			if math.Abs(effect.Estimate-estimate) > 1e-8 || math.Abs(effect.Error-se) > 1e-8 {
				t.Errorf("topic %d, %s: %.12f ± %.12f, in R %.12f ± %.12f", k, got.Names[i], effect.Estimate, effect.Error, estimate, se)
			}
		}
	}
}
