module github.com/topoi-lda/topoi

go 1.26
