package device

// KeptTopics is where the topics of a load are between sweeps: on the device if it stays
// there, else where it is sent from.
type KeptTopics struct {
	Home  *Buffer[uint16]
	N     int // tokens of a load that stays
	Stage *Host[uint16]
}

// Set lets fill write the topics.
func (k KeptTopics) Set(fill func(topics []uint16)) error {
	if k.Home == nil {
		fill(k.Stage.Slice())
		return nil
	}
	topics := make([]uint16, k.N)
	fill(topics)
	return k.Home.Upload(topics)
}

// GetInto copies the topics.
func (k KeptTopics) GetInto(topics []uint16) error {
	if k.Home == nil {
		copy(topics, k.Stage.Slice())
		return nil
	}
	return k.Home.Download(topics)
}
