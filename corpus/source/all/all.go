// Package all has a program read Parquet files, objects of stores (s3://, gs://, az://) and files of web servers
// (https://), and write tables as Parquet. Import it for that alone, as programs import image/png:
//
//	import _ "github.com/topoi-lda/topoi/corpus/source/all"
//
// Without it, these formats and paths are refused with a sentence that names this line. All other formats need no
// import. It adds HTTP, cryptography, the libraries that find credentials, and those of Parquet to the
// program: about 20 MB.
package all

import (
	_ "github.com/topoi-lda/topoi/corpus/source/internal/parquet" // reads Parquet
	_ "github.com/topoi-lda/topoi/internal/remote"                // opens objects and files of web servers
	_ "github.com/topoi-lda/topoi/internal/rows/parquetrows"      // writes tables as Parquet
)
