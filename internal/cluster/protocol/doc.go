// Package protocol has what the workers of a job, and those who submit, watch and collect it, agree upon: what a job
// is, how it stands, and under which keys of a store (see package store) it is kept. It also decides what a worker, a
// leader, an owner of slices and a mender do next. It does no I/O itself: a Control and a Repair change the store,
// Hands do the work, a Clock tells the time.
//
// # Words
//
//	part       documents that are sampled together, by the worker that has the part
//	slice      consecutive words with their rows; one worker has it and publishes its rows
//	office     a part or a slice, as something that a worker has: p7 or s3
//	round      in which every part is sampled once; rounds are counted from 1 through all iterations
//	version    the rows after all changes up to a round. A round sees the version before it, less the staleness
//	meeting    a round after which workers wait until all have written their share of it. After a brief one they
//	           have told what priors are estimated from; after a barrier topics and rows are in the store too, and
//	           whatever is lost later is repeated from there
//	reached    a part has reached a round when its changes are in the store, and a meeting when its share is
//	late       changes of the last rounds before a barrier, as many as the staleness, which others do not see in the
//	           rows of the barrier yet
//	apart      rows are apart if no worker has all of them: the owner of a slice makes its rows after every round
//	lease      a worker's time to live, which its beats renew. Who has lost it begins again with another token
//	head       a key beside the blobs of a slice or part. Its floor is the last round whose blobs it refuses, so that
//	           who was frozen for long cannot write what is over; its mark says who made it
//	mending    what one worker does, while the others wait, when the store has lost something
//	nobody     a leader's token below zero, which a mender writes so that no worker leads meanwhile
//	tombstone  a key that says that a job was cancelled or collected, so that nobody mends it
//
// # Keys
//
// All keys of job J have the prefix topoi:{J. Those that scripts must see together share a hash tag, and so a slot of
// a Redis Cluster; blobs spread over slots.
//
//	topoi:{J}:spec      what the job is (JSON, Spec, and a checksum); without it there is no job
//	topoi:{J}:state     the last complete barrier, what priors were estimated since, and how far to go from
//	                    there (JSON, State, and a checksum), and a random number that changes when the job is mended
//	topoi:{J}:owners    who has which part and slice: p7 or s3 → worker's token, a random number
//	topoi:{J}:reached   the last round each part has sampled, and the last barrier each part and slice
//	                    has reached: r7, p7 or s3 → round
//	topoi:{J}:members   what each worker says of itself: token → JSON, Report
//	topoi:{J}:leader    the leader's token, with expiry
//	topoi:{J}:lease:T   1 while the worker with token T is alive, with expiry; 0 if it must join again
//	topoi:ended:{J}:ID  tombstone of the job with this id, which was cancelled or collected, so that no worker that
//	                    slept meanwhile restores it; with expiry
//
//	topoi:{J:sI}:head   id of the job, and the last round whose late changes are refused
//	topoi:{J:sI}:d:R:P  changes of round R in slice I by part P
//	topoi:{J:sI}:first:P  what part P has in slice I when the job begins
//	topoi:{J:sI}:pseudo  pseudo-counts of some words, one run of words a slice, if the job has any
//	topoi:{J:sI}:h:R    statistics of the rows of slice I after round R, where workers met
//	topoi:{J:sI}:v:R    rows of slice I at the barrier of round R; where rows are apart, after every round
//
//	topoi:{J:pP}:head   the same for part P
//	topoi:{J:pP}:first  topics of part P in the checkpoint with which the job began
//	topoi:{J:pP}:z:R    topics of part P at the barrier of round R
//	topoi:{J:pP}:h:R    its documents' histograms after round R, where workers met
//	topoi:{J:pP}:n:R    n_k of its own tokens after round R, where rows are apart
//	topoi:{J:pP}:corpus:C   chunk C of the corpus file, or of frequencies, where shipped; P is C modulo the parts
//
// A blob is first written under its key with :new appended, with an expiry. A script that checks whether it still
// counts renames it.
package protocol
