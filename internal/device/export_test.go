package device

// PiecesOf makes feeds send so many bytes at once, until undo is called.
func PiecesOf(bytes int) (undo func()) {
	before := feedPiece
	feedPiece = bytes
	return func() { feedPiece = before }
}
