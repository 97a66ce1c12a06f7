package protocol

import (
	"strconv"
	"strings"
)

// Keys returns the keys of a job.
type Keys struct{ job string }

// Waiting stands behind the key of a blob that has not been accepted.
const Waiting = ":new"

func (k Keys) Control(name string) string { return "topoi:{" + k.job + "}:" + name }
func (k Keys) Spec() string               { return k.Control("spec") }
func (k Keys) State() string              { return k.Control("state") }
func (k Keys) Owners() string             { return k.Control("owners") }
func (k Keys) Reached() string            { return k.Control("reached") }
func (k Keys) Members() string            { return k.Control("members") }
func (k Keys) Leader() string             { return k.Control("leader") }
func (k Keys) Lease(token int64) string   { return k.Control("lease:") + strconv.FormatInt(token, 10) }

// Tombstone returns the key that says that a job of this name with the given id has ended. It is no key of the job
// itself: it stays when the job's keys are deleted, so that a worker that slept meanwhile does not restore the job.
func (k Keys) Tombstone(id string) string { return "topoi:ended:{" + k.job + "}:" + id }

// AnyJob stands for the id of a job whose spec could not be read when it was removed.
const AnyJob = "any"

// Tombstones returns the keys of which one exists if a job with the given id must not be restored.
func (k Keys) Tombstones(id string) []string { return []string{k.Tombstone(id), k.Tombstone(AnyJob)} }

// TombstoneDays is how long a store remembers that a job has ended.
const TombstoneDays = 30

// Lock returns the key of the lock for mending. It is no key of the job itself.
func (k Keys) Lock() string { return "topoi:{" + k.job + "!}:recovery" }

func (k Keys) Slice(slice int, name string) string { return k.office("s", slice, name) }
func (k Keys) Part(part int, name string) string   { return k.office("p", part, name) }

func (k Keys) office(kind string, n int, name string) string {
	return "topoi:{" + k.job + ":" + kind + strconv.Itoa(n) + "}:" + name
}

// OfficeOf returns the slice or part that a key belongs to: p7 or s3.
func OfficeOf(key string) string {
	tag := key[:strings.LastIndex(key, "}:")]
	return tag[strings.LastIndexByte(tag, ':')+1:]
}

// HeadOf returns the head of the slice or part that a key belongs to.
func HeadOf(key string) string { return key[:strings.LastIndex(key, "}:")+2] + "head" }

func (k Keys) Changes(slice, round, part int) string {
	return k.Slice(slice, "d:"+strconv.Itoa(round)+":"+strconv.Itoa(part))
}

func (k Keys) First(slice, part int) string       { return k.Slice(slice, "first:"+strconv.Itoa(part)) }
func (k Keys) Pseudo(slice int) string            { return k.Slice(slice, "pseudo") }
func (k Keys) Rows(slice, round int) string       { return k.Slice(slice, "v:"+strconv.Itoa(round)) }
func (k Keys) Topics(part, round int) string      { return k.Part(part, "z:"+strconv.Itoa(round)) }
func (k Keys) Totals(part, round int) string      { return k.Part(part, "n:"+strconv.Itoa(round)) }
func (k Keys) Statistics(slice, round int) string { return k.Slice(slice, "h:"+strconv.Itoa(round)) }
func (k Keys) Histograms(part, round int) string  { return k.Part(part, "h:"+strconv.Itoa(round)) }

// Prefixes returns the prefixes of all keys of the job.
func (k Keys) Prefixes() []string {
	return []string{"topoi:{" + k.job + "}:", "topoi:{" + k.job + ":s", "topoi:{" + k.job + ":p"}
}
