// Command import measures importing: megabytes a second and peak memory, on
// UCI and text inputs that it generates itself, small and large, and on real
// English text when there is some. Run it through bench/import.sh.
package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/topoi-lda/topoi/bench/internal/process"
	"github.com/topoi-lda/topoi/corpus"
)

func main() {
	log.SetFlags(0)
	size := flag.Int64("mb", 2000, "size of the large inputs in megabytes")
	dir := flag.String("dir", "", "where inputs and outputs go (default: a temporary directory)")
	real := flag.String("text", "../shared/data/elife/papers600.tsv.zst", "real text to import as well, if it exists")
	child := flag.String("import", "", "import this file once, print a row, and exit; used by the program itself")
	threads := flag.Int("threads", 0, "threads (default: all cores)")
	flag.Parse()
	var err error
	if *child != "" {
		err = importOnce(*child, *threads)
	} else {
		err = run(*dir, *real, *size, *threads)
	}
	if err != nil {
		log.Fatal("import: ", err)
	}
}

// run makes the inputs and imports each in a process of its own.
func run(dir, real string, mb int64, threads int) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "topoi-import-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	}
	fmt.Printf("%s, %d cores, load %s\n", runtime.Version(), runtime.NumCPU(), process.Load())
	if busy, err := strconv.ParseFloat(strings.Fields(process.Load())[0], 64); err == nil && busy > 0.5 {
		fmt.Println("Others were using the machine: compare MB/CPU s, not MB/s.")
	}
	fmt.Println()
	fmt.Printf("%-24s %7s %9s %9s %12s %9s %9s %9s %9s %9s\n", "input", "threads", "MB", "docs", "tokens", "seconds", "MB/s", "peak MB", "CPU s", "MB/CPU s")
	counts := threadCounts(threads)
	for _, input := range []struct {
		name  string
		bytes int64
		write func(io.Writer, *corpus.Corpus, int64) error
	}{
		{"docword.small.txt", mb << 20 / 10, writeUCI},
		{"docword.large.txt", mb << 20, writeUCI},
		{"text-small.tsv", mb << 20 / 10, writeTSV},
		{"text-large.tsv", mb << 20, writeTSV},
	} {
		path := filepath.Join(dir, input.name)
		if err := makeInput(path, input.bytes, input.write); err != nil {
			return err
		}
		for _, n := range counts {
			if err := measure(path, n); err != nil {
				return err
			}
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return measureReal(dir, real, threads)
}

// threadCounts are the rows of each input: one thread, and those asked for or all cores.
func threadCounts(threads int) []int {
	threads = cmp.Or(threads, runtime.NumCPU())
	return slices.Compact([]int{1, threads})
}

// measureReal imports the real text, both compressed and plain.
func measureReal(dir, path string, threads int) error {
	f, err := os.Open(path)
	if err != nil {
		fmt.Printf("(no real text: %v)\n", err)
		return nil
	}
	defer f.Close()
	plain, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer plain.Close()
	name := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".zst"))
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, plain); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	for _, n := range threadCounts(threads) {
		if err := measure(name, n); err != nil {
			return err
		}
	}
	return nil
}

// measure imports path in a new process, so that its peak memory is its own.
func measure(path string, threads int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-import", path, "-threads", fmt.Sprint(threads))
	cmd.Stderr = os.Stderr
	row, err := cmd.Output()
	if err != nil {
		return err
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("%s %9.2f %9.1f\n", row, cpu.Seconds(), float64(info.Size())/1e6/cpu.Seconds())
	return nil
}

// importOnce prints a row of the table but for the processor time, which only
// the parent knows in the end.
func importOnce(path string, threads int) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	out := path + ".topoi"
	defer os.Remove(out)
	report, err := corpus.Import(context.Background(), []string{path}, out, corpus.ImportOptions{Threads: threads})
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / 1e6
	fmt.Printf("%-24s %7d %9.1f %9d %12d %9.2f %9.1f %9d", filepath.Base(path), threads, mb, report.Docs, report.Tokens, report.Seconds, mb/report.Seconds, process.Peak(os.Getpid())/1_000_000)
	return nil
}

// makeInput generates documents, a few thousand at a time, until the file has
// about the wanted size.
func makeInput(path string, size int64, write func(io.Writer, *corpus.Corpus, int64) error) error {
	c, err := generated(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer c.Close()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w, c, size); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// generated returns a corpus of three million tokens over 100,000 words, whose
// documents are repeated as often as an input's size asks for: the vocabulary
// stays the same, so that memory can be compared.
func generated(dir string) (*corpus.Corpus, error) {
	path := filepath.Join(dir, "generated.topoi")
	_, err := corpus.Generate(context.Background(), path, corpus.GenerateOptions{Docs: 10_000, Words: 100_000, MeanLength: 300})
	if err != nil {
		return nil, err
	}
	return corpus.Open(path)
}

// writeUCI writes UCI bag-of-words. The header comes first, so the number of
// documents and entries is worked out from the size of one round.
func writeUCI(w io.Writer, c *corpus.Corpus, size int64) error {
	const width = 8 // digits of a document number, so that all rounds are equally long
	round, entries := uciRound(c, 0, width)
	rounds := max(1, int(size/int64(len(round))))
	if _, err := fmt.Fprintf(w, "%d\n%d\n%d\n", rounds*c.NumDocs(), c.NumWords(), rounds*entries); err != nil {
		return err
	}
	for r := range rounds {
		round, _ = uciRound(c, r*c.NumDocs(), width)
		if _, err := w.Write(round); err != nil {
			return err
		}
	}
	return nil
}

// uciRound returns the entries of all documents, numbered from first+1.
func uciRound(c *corpus.Corpus, first, width int) (lines []byte, entries int) {
	for d := range c.NumDocs() {
		number := fmt.Sprintf("%0*d ", width, first+d+1)
		doc := c.Doc(d)
		for i, n := 0, 0; i < len(doc); i += n {
			for n = 1; i+n < len(doc) && doc[i+n] == doc[i]; n++ {
			}
			lines = append(lines, number...)
			lines = strconv.AppendUint(lines, uint64(doc[i])+1, 10)
			lines = append(lines, ' ')
			lines = strconv.AppendInt(lines, int64(n), 10)
			lines = append(lines, '\n')
			entries++
		}
	}
	return lines, entries
}

// writeTSV writes id<TAB>text, the words of a document by rising id.
func writeTSV(w io.Writer, c *corpus.Corpus, size int64) error {
	written := int64(0)
	var line []byte
	fmt.Fprintln(w, "id\ttext")
	for n := 0; written < size; n++ {
		line = fmt.Appendf(line[:0], "document-%d\t", n)
		for _, word := range c.Doc(n % c.NumDocs()) {
			line = append(append(line, c.Words().Bytes(int(word))...), ' ')
		}
		line = append(line, '\n')
		written += int64(len(line))
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
