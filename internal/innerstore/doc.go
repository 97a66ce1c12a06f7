// Package innerstore is a store inside the program, for jobs that need none that outlives them. Workers reach it by the
// protocol of Redis, of which it speaks what they use. It keeps everything in memory and ends with its process.
//
// A [Server] has connections (conn.go, read.go). Each passes its commands to one database (database.go), which knows no
// network: commands (commands.go) and scripts (scripts.go and script_*.go) are functions of the database, of their
// arguments and of the time. The scripts are those of package scripts; tests compare them with Redis, which runs the
// Lua.
package innerstore
