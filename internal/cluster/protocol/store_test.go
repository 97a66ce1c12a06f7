package protocol_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/history"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// value is the value of a key.
type value struct {
	kind  byte // 's' for a string, 'h' for a hash, 'l' for another type
	text  string
	hash  map[string]string
	state *protocol.State // of the field json of a state
	sum   uint64          // of a blob
	start int             // of a blob: the round at which its job begins
	bad   bool            // a blob or state that is damaged
	until time.Duration   // when it expires; 0: never
}

// memory is a model of a store: every method but the first few is the counterpart of a script, and does what that does.
type memory struct {
	now    func() time.Duration
	keys   map[string]*value
	broken breaks

	tell    func(err error) // about a history that must not happen; nil: nobody asks
	history history.Checker // of all that happens
}

// happened adds an operation to the history.
func (m *memory) happened(ops ...history.Op) {
	for _, op := range ops {
		if err := m.history.Add(op); err != nil && m.tell != nil {
			m.tell(err)
		}
	}
}

// given returns the operations by which offices get owners.
func given(changes []string) (ops []history.Op) {
	for i := 0; i+1 < len(changes); i += 2 {
		ops = append(ops, history.Op{Kind: history.Owns, Key: changes[i], Who: changes[i+1]})
	}
	return ops
}

// breaks are faults of scripts that tests plant, to see whether they are found.
type breaks struct {
	leaseUnchecked   bool // beat renews a lease that has run out
	renameBlindly    bool // accept does not compare the head
	oldLeader        bool // publish does not ask who leads
	oldState         bool // publish does not ask whether the state is the later one
	reachUnchecked   bool // reach does not ask who has the office
	raiseTooFar      bool // raise deletes changes that the next rounds see
	raiseNothing     bool // raise deletes nothing and refuses nothing
	haltKeepsMembers bool // halt lets workers go on as if nothing had happened
	markAlways       bool // mark does not ask who leads
	tombstoneUnread  bool // halt does not look for a tombstone
	lockForAll       bool // lock is given to everybody
	doubleLeader     bool // beat makes everybody leader
	stateUnsealed    bool // a damaged state is believed
}

func newMemory(now func() time.Duration) *memory { return &memory{now: now, keys: map[string]*value{}} }

var errWrongType = &protocol.Damage{Key: "a key", Err: errors.New("it holds another type")}

// get returns what is under a key, nil if there is nothing or it has expired.
func (m *memory) get(key string) *value {
	v := m.keys[key]
	if v != nil && v.until > 0 && v.until <= m.now() {
		delete(m.keys, key)
		return nil
	}
	return v
}

// text returns a string; ok is false if there is none.
func (m *memory) text(key string) (text string, ok bool, err error) {
	v := m.get(key)
	switch {
	case v == nil:
		return "", false, nil
	case v.kind != 's':
		return "", false, errWrongType
	}
	return v.text, true, nil
}

// hashed returns a hash, an empty one if there is none.
func (m *memory) hashed(key string, make bool) (map[string]string, error) {
	v := m.get(key)
	switch {
	case v == nil:
		h := map[string]string{}
		if make {
			m.keys[key] = &value{kind: 'h', hash: h}
		}
		return h, nil
	case v.kind != 'h':
		return nil, errWrongType
	}
	return v.hash, nil
}

func (m *memory) set(key, text string, expiry time.Duration) {
	v := &value{kind: 's', text: text}
	if expiry > 0 {
		v.until = m.now() + expiry
	}
	m.keys[key] = v
}

func (m *memory) join(j *protocol.Layout, token int64, report string) (string, error) {
	if m.get(j.Key.Spec()) == nil {
		return "", protocol.Missing(j.Key.Spec())
	}
	members, err := m.hashed(j.Key.Members(), true)
	if err != nil {
		return "", err
	}
	members[strconv.FormatInt(token, 10)] = report
	m.set(j.Key.Lease(token), "1", j.Lease)
	state, err := m.hashed(j.Key.State(), false)
	return state["mended"], err
}

func (m *memory) beat(j *protocol.Layout, token int64, report, known string) (*protocol.Beat, error) {
	k, own := j.Key, strconv.FormatInt(token, 10)
	spec, ok, err := m.text(k.Spec())
	if err != nil || !ok {
		return nil, cmpErr(err, protocol.Missing(k.Spec()))
	}
	lease, _, err := m.text(k.Lease(token))
	if err != nil || lease != "1" && !m.broken.leaseUnchecked {
		return nil, cmpErr(err, protocol.ErrLost)
	}
	if spec != specText(j) {
		return nil, &protocol.Damage{Key: k.Spec(), Err: errors.New("it has changed")}
	}
	m.set(k.Lease(token), "1", j.Lease)
	members, err := m.hashed(k.Members(), true)
	if err != nil {
		return nil, err
	}
	members[own] = report
	leader, ok, err := m.text(k.Leader())
	if err != nil {
		return nil, err
	}
	if !ok || m.broken.doubleLeader {
		leader = own
	}
	if leader == own {
		m.set(k.Leader(), own, j.Lease)
	}
	owners, err := m.hashed(k.Owners(), false)
	if err != nil {
		return nil, err
	}
	b := &protocol.Beat{}
	b.Leader, _ = strconv.ParseInt(leader, 10, 64)
	for _, office := range slices.Sorted(maps.Keys(owners)) {
		if owners[office] == own {
			b.Offices = append(b.Offices, office)
		}
	}
	v := m.get(k.State())
	if v == nil {
		return b, nil
	}
	if v.kind != 'h' {
		return nil, errWrongType
	}
	if b.Version = v.hash["version"]; b.Version != known {
		b.State, err = m.state(j, v)
	}
	return b, err
}

// state reads a state as those do who check its seal.
func (m *memory) state(j *protocol.Layout, v *value) (*protocol.State, error) {
	if v.bad && !m.broken.stateUnsealed || v.state == nil {
		return nil, &protocol.Damage{Key: j.Key.State(), Err: errors.New("the checksum does not match")}
	}
	s := *v.state
	return &s, nil
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) leave(j *protocol.Layout, token int64) error {
	own := strconv.FormatInt(token, 10)
	delete(m.keys, j.Key.Lease(token))
	members, err := m.hashed(j.Key.Members(), false)
	if err != nil {
		return err
	}
	delete(members, own)
	leader, _, err := m.text(j.Key.Leader())
	if leader == own {
		delete(m.keys, j.Key.Leader())
	}
	return err
}

func (m *memory) reach(j *protocol.Layout, token int64, field, office string, round int) error {
	owners, err := m.hashed(j.Key.Owners(), false)
	if err != nil {
		return err
	}
	if owners[office] != strconv.FormatInt(token, 10) && !m.broken.reachUnchecked {
		return protocol.ErrLost
	}
	reached, err := m.hashed(j.Key.Reached(), true)
	if err != nil {
		return err
	}
	if was, ok := reached[field]; !ok || number(was) < round {
		reached[field] = strconv.Itoa(round)
		m.happened(history.Op{Kind: history.Reached, Key: field, Who: strconv.FormatInt(token, 10), Round: round})
	}
	return nil
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func (m *memory) read(j *protocol.Layout) (*protocol.State, string, error) {
	if m.get(j.Key.Spec()) == nil {
		return nil, "", protocol.Missing(j.Key.Spec())
	}
	v := m.get(j.Key.State())
	if v == nil {
		return nil, "", nil
	}
	if v.kind != 'h' {
		return nil, "", errWrongType
	}
	s, err := m.state(j, v)
	return s, v.hash["mended"], err
}

func (m *memory) leads(j *protocol.Layout, token int64) (bool, error) {
	leader, _, err := m.text(j.Key.Leader())
	return leader == strconv.FormatInt(token, 10), err
}

func (m *memory) survey(j *protocol.Layout, token int64) (*protocol.Survey, error) {
	if leads, err := m.leads(j, token); err != nil || !leads {
		return nil, cmpErr(err, protocol.ErrLost)
	}
	members, err := m.hashed(j.Key.Members(), false)
	if err != nil {
		return nil, err
	}
	s := &protocol.Survey{Reached: map[string]int{}}
	for _, own := range slices.Sorted(maps.Keys(members)) {
		lease, _, err := m.text(j.Key.Control("lease:") + own)
		if err != nil {
			return nil, err
		}
		if lease == "1" {
			s.Alive = append(s.Alive, own)
		} else {
			delete(members, own)
		}
	}
	owners, err := m.hashed(j.Key.Owners(), false)
	if err != nil {
		return nil, err
	}
	s.Owners = maps.Clone(owners)
	reached, err := m.hashed(j.Key.Reached(), false)
	for field, text := range reached {
		s.Reached[field] = number(text)
	}
	return s, err
}

func (m *memory) assign(j *protocol.Layout, token int64, changes []string) error {
	if leads, err := m.leads(j, token); err != nil || !leads && !m.broken.oldLeader {
		return cmpErr(err, protocol.ErrLost)
	}
	owners, err := m.hashed(j.Key.Owners(), true)
	for i := 0; err == nil && i+1 < len(changes); i += 2 {
		owners[changes[i]] = changes[i+1]
	}
	if err == nil {
		m.happened(given(changes)...)
	}
	return err
}

func (m *memory) publish(j *protocol.Layout, token int64, s *protocol.State, changes []string) error {
	if m.get(j.Key.Spec()) == nil {
		return protocol.Missing(j.Key.Spec())
	}
	if leads, err := m.leads(j, token); err != nil || !leads && !m.broken.oldLeader {
		return cmpErr(err, protocol.ErrLost)
	}
	state, err := m.hashed(j.Key.State(), true)
	if err != nil {
		return err
	}
	if was, ok := parseVersion(state["version"]); ok && was.LaterThan(s) && !m.broken.oldState {
		return protocol.ErrLost
	}
	now := *s
	state["version"], m.keys[j.Key.State()].state, m.keys[j.Key.State()].bad = s.Version(), &now, false
	m.happened(history.Op{Kind: history.Barrier, Value: s.Version()})
	owners, err := m.hashed(j.Key.Owners(), true)
	for i := 0; err == nil && i+1 < len(changes); i += 2 {
		owners[changes[i]] = changes[i+1]
	}
	if err == nil {
		m.happened(given(changes)...)
	}
	return err
}

// parseVersion reads what a state's version says.
func parseVersion(text string) (*protocol.State, bool) {
	var s protocol.State
	n, _ := fmt.Sscanf(text, "%d/%d/%t", &s.Round, &s.Until, &s.Finished)
	return &s, n == 3
}

var errBroken = errors.New("its floor is no number")

// head reads the head of a slice or part.
func (m *memory) head(j *protocol.Layout, key string) (floor int, err error) {
	v := m.get(key)
	if v == nil {
		return 0, protocol.Missing(key)
	}
	if v.kind != 'h' || v.hash["floor"] == "" {
		return 0, &protocol.Damage{Key: key, Err: errBroken}
	}
	if v.hash["id"] != j.HeadID() {
		return 0, protocol.Missing(key)
	}
	return number(v.hash["floor"]), nil
}

// accept puts a blob under a key if its round is not over.
func (m *memory) accept(j *protocol.Layout, head, key string, round int, sum uint64) error {
	floor, err := m.head(j, head)
	switch {
	case m.broken.renameBlindly:
	case err != nil:
		return err
	case floor >= round:
		return lateError(floor)
	}
	m.keys[key] = &value{kind: 's', sum: sum, start: j.Start}
	m.happened(history.Op{Kind: history.Wrote, Key: key, Value: strconv.FormatUint(sum, 16)})
	return nil
}

func heads(j *protocol.Layout) (names []string) {
	for i := range j.Slices {
		names = append(names, j.Key.Slice(i, "head"))
	}
	for i := range j.Parts {
		names = append(names, j.Key.Part(i, "head"))
	}
	return names
}

func (m *memory) raise(j *protocol.Layout, head string, barrier int) error {
	floor, err := m.head(j, head)
	if err != nil || floor >= barrier || m.broken.raiseNothing {
		return err
	}
	tag, staleness := strings.TrimSuffix(head, "head"), j.Staleness
	if m.broken.raiseTooFar {
		staleness = max(0, staleness-1)
	}
	parts := j.Parts
	if strings.Contains(tag, ":p") {
		parts = 0
	}
	drop := func(name string, round int) { delete(m.keys, tag+name+strconv.Itoa(round)) }
	for round := max(0, floor-staleness); round <= barrier-staleness; round++ {
		for part := range parts {
			delete(m.keys, tag+"d:"+strconv.Itoa(round)+":"+strconv.Itoa(part))
		}
	}
	for part := range parts {
		drop("first:", part)
	}
	for round := max(0, floor); round < barrier; round++ {
		drop("z:", round)
		drop("h:", round)
	}
	for round := max(0, floor-j.VersionsKept()); round < barrier-j.VersionsKept(); round++ {
		drop("v:", round)
		drop("n:", round)
	}
	delete(m.keys, tag+"first")
	m.keys[head].hash["floor"] = strconv.Itoa(barrier)
	return nil
}

func (m *memory) lock(key, owner string, expiry time.Duration) error {
	held, ok, _ := m.text(key)
	if ok && held != owner && !m.broken.lockForAll {
		return protocol.ErrLost
	}
	m.set(key, owner, expiry)
	return nil
}

func (m *memory) unlock(key, owner string) error {
	held, _, err := m.text(key)
	if err == nil && held == owner {
		delete(m.keys, key)
	}
	return err
}

func (m *memory) halt(j *protocol.Layout, nobody int64) (had bool, err error) {
	if m.ended(j) && !m.broken.tombstoneUnread {
		return false, j.Cancelled()
	}
	had = m.get(j.Key.Spec()) != nil
	m.happened(history.Op{Kind: history.Restored}, history.Op{Kind: history.Returned})
	m.set(j.Key.Spec(), specText(j), 0)
	m.set(j.Key.Leader(), strconv.FormatInt(nobody, 10), protocol.MendLeases*j.Lease)
	if m.broken.haltKeepsMembers {
		return had, nil
	}
	if members, err := m.hashed(j.Key.Members(), false); err == nil {
		for own := range members {
			if v := m.get(j.Key.Control("lease:") + own); v != nil {
				v.kind, v.text = 's', "0"
			}
		}
	}
	delete(m.keys, j.Key.Members())
	delete(m.keys, j.Key.Owners())
	delete(m.keys, j.Key.Reached())
	return had, nil
}

func (m *memory) rule(j *protocol.Layout, nobody int64) error {
	leads, err := m.leads(j, nobody)
	if err != nil || !leads {
		return cmpErr(err, protocol.ErrLost)
	}
	m.set(j.Key.Leader(), strconv.FormatInt(nobody, 10), protocol.MendLeases*j.Lease)
	return nil
}

func (m *memory) makeHeads(j *protocol.Layout, floor int, mark string) {
	for _, head := range heads(j) {
		m.keys[head] = &value{kind: 'h', hash: map[string]string{"id": j.HeadID(), "floor": strconv.Itoa(floor), "mark": mark}}
	}
}

func (m *memory) headMark(head string) string {
	if v := m.get(head); v != nil && v.kind == 'h' {
		return v.hash["mark"]
	}
	return ""
}

// sweep deletes blobs whose heads have the marks; without marks, all.
func (m *memory) sweep(names []string, marks map[string]string) {
	for _, name := range names {
		if head := protocol.HeadOf(name); marks == nil || m.headMark(head) == marks[head] {
			delete(m.keys, name)
		}
	}
}

func (m *memory) mark(j *protocol.Layout, s *protocol.State, mark string, nobody int64) error {
	if m.get(j.Key.Spec()) == nil {
		return protocol.Missing(j.Key.Spec())
	}
	if leads, err := m.leads(j, nobody); (err != nil || !leads) && !m.broken.markAlways {
		return cmpErr(err, protocol.ErrLost)
	}
	now := *s
	m.happened(history.Op{Kind: history.Restored}, history.Op{Kind: history.Barrier, Value: s.Version()})
	m.keys[j.Key.State()] = &value{kind: 'h', hash: map[string]string{"version": s.Version(), "mended": mark}, state: &now}
	delete(m.keys, j.Key.Reached())
	return nil
}

// create puts a job into the store.
func (m *memory) create(j *protocol.Layout, s *protocol.State) {
	m.set(j.Key.Spec(), specText(j), 0)
	m.makeHeads(j, j.Floor(s), "first")
	now := *s
	m.keys[j.Key.State()] = &value{kind: 'h', hash: map[string]string{"version": s.Version()}, state: &now}
}

// ofJob returns all keys of a job but its leases and lock, sorted.
func (m *memory) ofJob(j *protocol.Layout) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.keys)), func(key string) bool {
		return m.get(key) == nil || !strings.HasPrefix(key, "topoi:{"+j.Name+"}") && !strings.HasPrefix(key, "topoi:{"+j.Name+":") ||
			strings.HasPrefix(key, j.Key.Control("lease:"))
	})
}

// ended reports whether a job was removed.
func (m *memory) ended(j *protocol.Layout) bool {
	return slices.ContainsFunc(j.Key.Tombstones(j.IDText()), func(key string) bool { return m.get(key) != nil })
}

// remove ends a job and leaves its tombstone.
func (m *memory) remove(j *protocol.Layout) {
	if m.get(j.Key.Spec()) != nil {
		m.set(j.Key.Tombstone(j.IDText()), "", 0)
		m.happened(history.Op{Kind: history.Ended})
	}
	for _, key := range []string{j.Key.Spec(), j.Key.Leader(), j.Key.Owners(), j.Key.State()} {
		delete(m.keys, key)
	}
}

// specText is the description of a job in the store.
func specText(j *protocol.Layout) string { return j.IDText() + "/" + strconv.Itoa(j.From) }
