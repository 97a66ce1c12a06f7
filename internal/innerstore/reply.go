package innerstore

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
)

// compatible is the version of Redis whose commands these are: clients choose by it what to send.
const compatible = "7.0.0"

// digest returns the name by which clients call a script.
func digest(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// reply is an answer of a command or a script. The zero value is no answer.
type reply struct {
	form   byte // as the protocol marks it
	text   []byte
	number int64
	list   []reply
}

// The forms of replies.
const (
	formBulk   = '$'
	formStatus = '+'
	formFault  = '-'
	formNumber = ':'
	formList   = '*'
	formMap    = '%' // of pairs
	formNull   = '_'
)

var (
	null = reply{form: formNull}
	done = list(text("done"))
	okay = reply{form: formStatus, text: []byte("OK")}
)

func text(s string) reply             { return reply{form: formBulk, text: []byte(s)} }
func bulk(b []byte) reply             { return reply{form: formBulk, text: b} }
func number[N int | int64](n N) reply { return reply{form: formNumber, number: int64(n)} }
func list(of ...reply) reply          { return reply{form: formList, list: of} }
func status(s string) reply           { return reply{form: formStatus, text: []byte(s)} }
func refusal(s string) reply          { return reply{form: formFault, text: []byte(s)} }

// word returns an answer that is one word.
func word(w string) reply { return list(text(w)) }

// texts returns a list of texts.
func texts(all []string) reply {
	r := list()
	for _, s := range all {
		r.list = append(r.list, text(s))
	}
	return r
}

// maybe returns a text, or null if there is none.
func maybe(s string, ok bool) reply {
	if !ok {
		return null
	}
	return text(s)
}

// head returns the line with which a reply begins, for a client that speaks a version of the protocol.
func (r reply) head(line []byte, version int) []byte {
	switch r.form {
	case formBulk:
		return strconv.AppendInt(append(line, formBulk), int64(len(r.text)), 10)
	case formNumber:
		return strconv.AppendInt(append(line, formNumber), r.number, 10)
	case formList:
		return strconv.AppendInt(append(line, formList), int64(len(r.list)), 10)
	case formMap:
		if version < 3 {
			return strconv.AppendInt(append(line, formList), int64(len(r.list)), 10)
		}
		return strconv.AppendInt(append(line, formMap), int64(len(r.list)/2), 10)
	case formNull:
		if version < 3 {
			return append(line, "$-1"...)
		}
		return append(line, formNull)
	}
	return append(append(line, r.form), r.text...)
}
