d4 | rat cat:3
