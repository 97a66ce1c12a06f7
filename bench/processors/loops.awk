# loops.awk cuts the innermost loops out of a compiler's listing: from a label to the branch back to it, with nothing
# but instructions between. It prints them as regions that llvm-mca knows, named by function and label.
/^[a-z][A-Za-z0-9_]*:/ { name = substr($1, 1, index($1, ":") - 1) }
/^\.LBB[0-9_]+:/ {
	label = substr($1, 1, index($1, ":") - 1)
	n = 0
	next
}
/^\t[a-z]/ && label != "" {
	lines[n++] = $0
	if ($2 == label && n > 3) {
		print "# LLVM-MCA-BEGIN " name substr(label, 5)
		for (i = 0; i < n; i++) print lines[i]
		print "# LLVM-MCA-END"
		label = ""
	}
}
