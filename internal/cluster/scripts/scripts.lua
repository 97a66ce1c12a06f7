-- These scripts are the only writers of a job's keys. Each sees one slot, and does the same when it runs twice. Its
-- comment begins with its name. Answers begin with a word:
--
--    done
--    gone     the store has no such job
--    lost     the caller's lease has run out, or another worker has its office
--    late     the round is over
--    changed  the spec has changed, which it never does
--    ended    the job was cancelled or collected
--    broken   the head of a slice or part cannot be read

-- join: KEYS spec lease members state; ARGV token report lease(ms).
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
return {'done', redis.call('HGET', KEYS[4], 'mended') or ''}

-- remove: KEYS spec leader owners state tombstone; ARGV time(s). Ends a job, and leaves a tombstone for workers that
-- still run or sleep. Without a job there is nothing to end.
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('SET', KEYS[5], '', 'EX', ARGV[1]) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
return {'done'}

-- halt: KEYS spec leader members owners reached tombstone tombstone; ARGV spec time(ms) lease-prefix nobody. Before a job is
-- mended: lets nobody lead and everybody join again, and puts back what the job is, and says whether that was there.
-- Leases stay, so that who removes the job waits for their workers. What was reached is void: a mender may die after it
-- has deleted what was written there.
if redis.call('EXISTS', KEYS[6], KEYS[7]) > 0 then return {'ended'} end
local had = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[2])
if redis.call('TYPE', KEYS[3]).ok == 'hash' then
  for _, token in ipairs(redis.call('HKEYS', KEYS[3])) do
    if redis.call('EXISTS', ARGV[3] .. token) == 1 then redis.call('SET', ARGV[3] .. token, '0', 'KEEPTTL') end
  end
end
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
return {'done', had}

-- mark: KEYS spec state reached leader; ARGV version state mark nobody. After a job was mended, unless somebody has
-- led it meanwhile: then its state is a newer one.
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
if redis.call('GET', KEYS[4]) ~= ARGV[4] then return {'lost'} end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[2], 'version', ARGV[1], 'json', ARGV[2], 'mended', ARGV[3])
return {'done'}

-- beat: KEYS spec lease members leader owners state; ARGV token report lease(ms) round spec(SHA-1). Keeps a worker
-- alive, makes it leader if nobody is, and tells it what it has and, unless it knows the barrier's round, the state.
local spec = redis.call('GET', KEYS[1])
if not spec then return {'gone'} end
if redis.call('GET', KEYS[2]) ~= '1' then return {'lost'} end
if redis.sha1hex(spec) ~= ARGV[5] then return {'changed'} end
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('SET', KEYS[4], ARGV[1], 'NX', 'PX', ARGV[3])
local leader = redis.call('GET', KEYS[4])
if leader == ARGV[1] then redis.call('PEXPIRE', KEYS[4], ARGV[3]) end
local own = {}
local owners = redis.call('HGETALL', KEYS[5])
for i = 1, #owners, 2 do
  if owners[i + 1] == ARGV[1] then own[#own + 1] = owners[i] end
end
local round = redis.call('HGET', KEYS[6], 'version')
local state = ''
if round ~= ARGV[4] then state = redis.call('HGET', KEYS[6], 'json') end
return {'done', leader, round or '', state or '', own}

-- leave: KEYS lease members leader; ARGV token. Ends a worker's lease at once.
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
return {'done'}

-- reach: KEYS owners reached; ARGV token field office round. Notes a round for a part or slice if the worker still
-- has it.
if redis.call('HGET', KEYS[1], ARGV[3]) ~= ARGV[1] then return {'lost'} end
local was = tonumber(redis.call('HGET', KEYS[2], ARGV[2]) or '-1')
if was < tonumber(ARGV[4]) then redis.call('HSET', KEYS[2], ARGV[2], ARGV[4]) end
return {'done'}

-- survey: KEYS leader members owners reached; ARGV token lease-prefix. Tells the leader who is alive and how far
-- everything is; forgets the dead.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
local alive = {}
for _, token in ipairs(redis.call('HKEYS', KEYS[2])) do
  if redis.call('GET', ARGV[2] .. token) == '1' then
    alive[#alive + 1] = token
  else
    redis.call('HDEL', KEYS[2], token)
  end
end
return {'done', alive, redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4])}

-- assign: KEYS leader owners; ARGV token field owner field owner …
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return {'done'}

-- publish: KEYS leader owners state spec; ARGV token version json field owner … Opens the rounds up to the next
-- barrier, with the owners from there on. A state never replaces a later one (see protocol.State.LaterThan): the
-- request may be one that arrives a second time.
if redis.call('EXISTS', KEYS[4]) == 0 then return {'gone'} end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
local function version(text)
  local round, till, finished = string.match(text or '', '^(-?%d+)/(-?%d+)/(%a+)$')
  return tonumber(round), tonumber(till), finished == 'true'
end
local round, till, finished = version(redis.call('HGET', KEYS[3], 'version') or '')
local nextRound, nextTill, ends = version(ARGV[2])
local later = finished and not ends or finished == ends and till and till > nextTill
if round and (round > nextRound or round == nextRound and later) then return {'lost'} end
redis.call('HSET', KEYS[3], 'version', ARGV[2], 'json', ARGV[3])
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return {'done'}

-- accept: KEYS protocol.Waiting head key; ARGV id round. Gives a blob of a slice or part that waits under another
-- name its own, unless the job is over or its round is.
local kind, head, answer = redis.call('TYPE', KEYS[2]).ok, {}, 'done'
if kind == 'hash' then head = redis.call('HMGET', KEYS[2], 'id', 'floor') end
local floor = tonumber(head[2])
if kind == 'none' or floor and head[1] ~= ARGV[1] then answer = 'gone'
elseif not floor then answer = 'broken'
elseif floor >= tonumber(ARGV[2]) then answer = 'late' end
if answer ~= 'done' then
  redis.call('UNLINK', KEYS[1])
elseif redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[3])
  redis.call('PERSIST', KEYS[3])
elseif redis.call('EXISTS', KEYS[3]) == 0 then
  return redis.error_reply('TRYAGAIN the blob has expired')
end
return {answer, floor}

-- raise: KEYS head; ARGV id barrier staleness parts kept. After a barrier, refuses its rounds and older ones, and
-- deletes what only older barriers needed. parts is the number of writers of changes, kept the number of versions
-- before the barrier's that stay. Returns the floor, which stays if it is not below the barrier.
local kind, head = redis.call('TYPE', KEYS[1]).ok, {}
if kind == 'hash' then head = redis.call('HMGET', KEYS[1], 'id', 'floor') end
local floor, barrier = tonumber(head[2]), tonumber(ARGV[2])
if kind == 'none' or floor and head[1] ~= ARGV[1] then return {'gone'} end
if not floor then return {'broken'} end
if floor >= barrier then return {'done', floor} end
local staleness, parts, kept, tag = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), string.sub(KEYS[1], 1, -5)
for round = math.max(0, floor - staleness), barrier - staleness do
  for part = 0, parts - 1 do redis.call('UNLINK', tag .. 'd:' .. round .. ':' .. part) end
end
for part = 0, parts - 1 do redis.call('UNLINK', tag .. 'first:' .. part) end
for round = math.max(0, floor), barrier - 1 do
  redis.call('UNLINK', tag .. 'z:' .. round, tag .. 'h:' .. round)
end
for round = math.max(0, floor - kept), barrier - 1 - kept do
  redis.call('UNLINK', tag .. 'v:' .. round, tag .. 'n:' .. round)
end
redis.call('UNLINK', tag .. 'first')
redis.call('HSET', KEYS[1], 'floor', barrier)
return {'done', barrier}

-- found: KEYS head; ARGV id floor mark. Makes the head of a slice or part, whatever was there.
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'floor', ARGV[2], 'mark', ARGV[3])
return {'done'}

-- sweep: KEYS head blob …; ARGV mark. Deletes the blobs if the head has the mark, and returns the one it has.
local mark = ''
if redis.call('TYPE', KEYS[1]).ok == 'hash' then mark = redis.call('HGET', KEYS[1], 'mark') or '' end
if mark == ARGV[1] then
  for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
end
return {'done', mark}

-- create: KEYS spec tombstone any-tombstone; ARGV json. Makes a job unless there is one of its name, or this one has
-- ended. The tombstone of a job that could not be read is for those before this one.
if redis.call('EXISTS', KEYS[2]) == 1 then return {'ended'} end
redis.call('DEL', KEYS[3])
local was = redis.call('GET', KEYS[1])
if was and was ~= ARGV[1] then return {'lost', was} end
redis.call('SET', KEYS[1], ARGV[1])
return {'done'}

-- begin: KEYS spec state; ARGV version json. Gives a new job its first state.
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HSET', KEYS[2], 'version', ARGV[1], 'json', ARGV[2]) end
return {'done'}

-- state: KEYS spec state. Reads the state and the mark of its last mending.
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
return {'done', redis.call('HGET', KEYS[2], 'json') or '', redis.call('HGET', KEYS[2], 'mended') or ''}

-- status: KEYS spec state leader members owners reached; ARGV lease-prefix. Reads everything at one moment; of the
-- members, those alive.
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
local alive = {}
local members = redis.call('HGETALL', KEYS[4])
for i = 1, #members, 2 do
  if redis.call('GET', ARGV[1] .. members[i]) == '1' then
    alive[#alive + 1] = members[i]
    alive[#alive + 1] = members[i + 1]
  end
end
return {'done', redis.call('HGET', KEYS[2], 'json') or '', redis.call('GET', KEYS[3]) or '0', alive,
  redis.call('HGETALL', KEYS[5]), redis.call('HGETALL', KEYS[6])}

-- lock: KEYS lock; ARGV owner time(ms). Takes or keeps it.
if redis.call('TYPE', KEYS[1]).ok ~= 'string' then redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'done'}

-- renew: KEYS lock; ARGV owner time(ms). Unlike lock it does not take what has run out.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'lost'} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'done'}

-- unlock: KEYS lock; ARGV owner.
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return {'done'}
