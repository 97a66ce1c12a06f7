package sampler

import "github.com/topoi-lda/topoi/internal/device"

// keptTopics is where the topics of a load are between sweeps: on the device if it stays
// there, else where it is sent from.
type keptTopics struct {
	home  *device.Buffer[uint16]
	n     int // tokens of a load that stays
	stage *device.Host[uint16]
}

// set lets fill write the topics.
func (k keptTopics) set(fill func(topics []uint16)) error {
	if k.home == nil {
		fill(k.stage.Slice())
		return nil
	}
	topics := make([]uint16, k.n)
	fill(topics)
	return k.home.Upload(topics)
}

// get lets take read the topics.
func (k keptTopics) get(take func(topics []uint16)) error {
	if k.home == nil {
		take(k.stage.Slice())
		return nil
	}
	topics := make([]uint16, k.n)
	err := k.home.Download(topics)
	take(topics)
	return err
}
