package cuda

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda/kernels"
)

func TestMissingLibrarySaysWhatToDo(t *testing.T) {
	_, err := openDriver("no-such-directory/libcuda.so.1")
	if errors.Is(err, ErrNotBuilt) {
		t.Skip("built without CUDA")
	}
	if !errors.Is(err, ErrNoDriver) || !Unavailable(err) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"no-such-directory/libcuda.so.1 not found", "install the NVIDIA driver", LibraryVariable} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %q", part, err)
		}
	}
}

// What becomes of opening a GPU ahead is told once: the next Open tries again.
func TestOpenAhead(t *testing.T) {
	const none = 1 << 15
	_, want := Open(none)
	OpenAhead(none)
	OpenAhead(none)
	_, kept := ahead.Load(none)
	_, err := Open(none)
	if err == nil || err.Error() != want.Error() || !kept {
		t.Errorf("got %v, want %v; kept: %v", err, want, kept)
	}
	if _, kept := ahead.Load(none); kept {
		t.Error("the fault is still there")
	}
}

func TestErrorText(t *testing.T) {
	err := error(&Error{Op: "allocating 4.0 GiB of device memory", Code: codeOutOfMemory, Name: "CUDA_ERROR_OUT_OF_MEMORY", Text: "out of memory"})
	const want = "cuda: allocating 4.0 GiB of device memory: out of memory (CUDA_ERROR_OUT_OF_MEMORY, code 2)"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	for code, sentinel := range map[Code]error{2: ErrOutOfMemory, 100: ErrNoDevice, 218: ErrRefused, 222: ErrOldDriver, 700: ErrDeviceLost, 719: ErrDeviceLost} {
		if !errors.Is(&Error{Code: code}, sentinel) {
			t.Errorf("code %d is not %v", code, sentinel)
		}
	}
	if (&Error{Code: 1}).Unwrap() != nil || Unavailable(&Error{Code: 1}) {
		t.Error("an invalid value is not a missing GPU")
	}
}

func TestParseEntries(t *testing.T) {
	got, err := parseEntries(`
.visible .entry a(
	.param .u64 .ptr .global .align 8 a_param_0,
	.param .u32 a_param_1,
	.param .f64 a_param_2
)
{ }
.visible .entry b()
{ }`)
	if err != nil {
		t.Fatal(err)
	}
	if want := (map[string][]int{"a": {8, 4, 8}, "b": {}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, bad := range []string{"", ".visible .entry c(\n\t.param .align 8 .b8 c_param_0[24]\n)\n{ }"} {
		if _, err := parseEntries(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}

// The kernels that are carried can be parsed.
func TestCarriedKernels(t *testing.T) {
	ptx, err := kernels.PTX("philox")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := parseEntries(ptx)
	if err != nil {
		t.Fatal(err)
	}
	if got := entries["philox_histogram"]; !slices.Equal(got, []int{8, 4, 4, 4, 4}) {
		t.Errorf("philox_histogram has parameters %v", got)
	}
}

func TestTexts(t *testing.T) {
	if got := versionText(12040); got != "12.4" {
		t.Errorf("got %s", got)
	}
	if (Device{Major: 7, Minor: 5}).Usable() || !(Device{Major: 8}).Usable() || !(Device{Major: 9}).Usable() || !(Device{Major: 12, Minor: 1}).Usable() {
		t.Error("compute capability 8.0 is the least")
	}
}
