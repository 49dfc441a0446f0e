import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { indexedMarkName } from '#adapters/sql/audit/chains.ts'
import { lockChainIndex } from '#adapters/sql/lock-order.ts'
import { postgresAgentBatches } from '#adapters/sql/postgres/audit/agent-batches.ts'
import { readEnds } from '#adapters/sql/postgres/audit/checkpoints.ts'
import { GROUP, openAuditIndex, WINDOW } from '#adapters/sql/postgres/audit/index-agents.ts'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { count } from '../../contracts/suites/audit/kept-log.ts'
import { runs } from '../../support/repetitions.ts'
import { openWithLongTimeouts, TIMEOUTS } from '../../support/services/test-postgres.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import { until } from '../../support/until.ts'
import { agentCalled, requestOf } from '../admission-store.ts'
import { openPostgresSampleLog } from '../postgres-sample-log.ts'
import { wholeLogOf } from './whole-log.ts'

const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }

/** A batch that one of two instances writes, a gap in the numbers of batches, or a look at the log. */
const STEP = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      instance: fc.nat(1),
      ids: fc.array(fc.constantFrom('c', 'd', 'nobody'), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ gap: fc.integer({ min: 1, max: 2 * WINDOW }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ id: fc.constantFrom('c', 'd'), limit: fc.integer({ min: 1, max: 60 }) }),
  },
)

async function batchesOf(
  { store, seal }: Awaited<ReturnType<typeof openPostgresSampleLog>>,
  agentNo: number,
  direction: 'asc' | 'desc',
  limit: number,
): Promise<readonly number[]> {
  const { read } = postgresAgentBatches(store.db, seal)
  const found: number[] = []
  let from = direction === 'asc' ? 0 : Number.MAX_SAFE_INTEGER
  for (;;) {
    const page = await read({ agentNo, from, direction, limit })
    const last = page.at(-1)
    if (!last) return found
    found.push(...page.map(({ seq }) => seq))
    from = last.seq + (direction === 'asc' ? 1 : -1)
  }
}

test("an agent's log has exactly its requests to all instances, in order, at any moment and page size", async () => {
  await using log = await openPostgresSampleLog()
  for (const id of ['c', 'd']) await log.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  const sent: Record<string, number[]> = { c: [], d: [] }
  let at = log.clock.now()
  const look = async ({ id, limit }: { readonly id: string; readonly limit: number }) => {
    assert.deepEqual(await wholeLogOf(log.requestLog, id, limit), sent[id]?.toReversed())
    const { no } = await log.store.db
      .selectFrom('agents')
      .select('no')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const [forwards, backwards] = await Promise.all([
      batchesOf(log, no, 'asc', limit),
      batchesOf(log, no, 'desc', 64),
    ])
    assert.deepEqual(forwards, backwards.toReversed())
  }
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const step of steps) {
        if ('gap' in step)
          await sql`select setval('audit_seq', nextval('audit_seq') + ${step.gap})`.execute(log.store.db)
        else if ('limit' in step) await look(step)
        else
          await Promise.all(
            step.ids.map((id) => {
              at += 1
              sent[id]?.push(at)
              return log.admissions[step.instance]?.admit(requestOf(id, at))
            }),
          )
      }
      assert.equal((await log.verify()).kind, 'intact')
    }),
    runs(15),
  )
})

test('an instance indexes its batches in groups, without a reader', async () => {
  await using log = await openPostgresSampleLog()
  for (let batch = 1; batch < GROUP.batches; batch += 1) await log.addBatch()
  assert.equal(await count(log, 'agent_batches'), 0)
  await log.addBatch()
  await until(async () => (await count(log, 'agent_batches')) === 2)
  assert.equal((await log.verify()).kind, 'intact')
})

test('the log of a version without this index is indexed by its first reader', async () => {
  await using log = await openPostgresSampleLog()
  for (let day = 0; day < 3; day += 1) {
    await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(DAY_MS)
  }
  await sql`drop table agent_batches`.execute(log.store.db)
  await sql`delete from migrations where name = '0010-agent-batches'`.execute(log.store.db)
  await using _ = await openWithLongTimeouts(log.store.url)
  assert.equal((await log.readRequests()).requests.length, 6)
  assert.equal(await count(log, 'agent_batches'), 2 * 6)
  assert.equal((await log.verify()).kind, 'intact')
})

test('readers that look at once, while instances write, see each request once', async () => {
  await using log = await openPostgresSampleLog()
  for (let round = 1; round <= 30; round += 1) {
    await Promise.all([log.addBatch(), log.addElsewhere()])
    const pages = await Promise.all([1, 2, 3, 4].map(() => log.readRequests()))
    for (const { requests } of pages) assert.equal(requests.length, 2 * round)
  }
  assert.equal((await log.verify()).kind, 'intact')
})

const indexedBatches = async ({ store }: Awaited<ReturnType<typeof openPostgresSampleLog>>) => {
  const { rows } = await sql<{ no: number }>`
    select no from audit_marks where name like 'indexed %' order by name`.execute(store.db)
  return rows.map(({ no }) => no)
}

test('the job indexes what instances have left of their chains', async () => {
  await using log = await openPostgresSampleLog()
  for (let day = 0; day < 3; day += 1) {
    for (let batch = 0; batch < 20; batch += 1) await Promise.all([log.addBatch(), log.addElsewhere()])
    log.clock.advance(DAY_MS)
  }
  await log.upkeep.indexAgents(AbortSignal.abort())
  assert.deepEqual(await indexedBatches(log), [])
  await log.upkeep.indexAgents(new AbortController().signal)
  assert.deepEqual(await indexedBatches(log), [20, 20, 20, 20, 20, 20])
  assert.equal((await log.verify()).kind, 'intact')
})

test('a group of batches ends soon after it has as many agents as a transaction should write', async () => {
  await using log = await openPostgresSampleLog()
  await log.addBatch()
  const [chain] = await readEnds(log.store.db)
  assert(chain)
  const bodies = [1, 2, 3, 4].map((batch) =>
    JSON.stringify({
      i: Array.from({ length: 3_000 }, (_, at) => [batch, 0, batch * 10_000 + at, 'metadata', '']),
      o: [],
      r: [],
    }),
  )
  await sql`insert into audit_batches (seq, day, instance, place, body, hash)
    select 1000 + nth, ${chain.day}, ${chain.instance}, 1 + nth, body, 'a hash'
    from unnest(${bodies}::text[]) with ordinality as given(body, nth)`.execute(log.store.db)
  const { extend } = openAuditIndex(log.store.db, log.seal)
  assert.deepEqual([await extend(chain), await extend(chain)], [3, 5])
})

test('a reader waits while others index, for longer than for any other lock', async () => {
  await using log = await openPostgresSampleLog()
  await using hasty = await openPostgres(log.store.url, {
    logger: silentLogger,
    timeouts: { ...TIMEOUTS, lockMs: 100 },
  })
  await log.addBatch()
  const { prepare } = postgresAgentBatches(hasty.db, log.seal)
  const [chain] = await readEnds(log.store.db)
  assert(chain)
  const tries = new Set<unknown>()
  const [reading] = await log.store.db.transaction().execute(async (transaction) => {
    await lockChainIndex(transaction, indexedMarkName(chain.name))
    const waiting = prepare()
    await until(async () => {
      const { rows } = await sql<{ began: string }>`
        select xact_start::text as began from pg_stat_activity where wait_event = 'advisory'`.execute(
        log.store.db,
      )
      for (const { began } of rows) tries.add(began)
      return tries.size >= 2
    })
    return [waiting]
  })
  await reading
  assert.deepEqual(await indexedBatches(log), [1])
})

test('a forged mark of the index is refused, and not written over', async () => {
  await using log = await openPostgresSampleLog()
  await log.addBatch()
  await log.readRequests()
  await sql`update audit_marks set no = 7 where name like 'indexed %'`.execute(log.store.db)
  for (let batch = 0; batch < 9; batch += 1) await log.addBatch()
  await assert.rejects(log.readRequests(), /the mark "indexed .*audit verify/)
  assert.deepEqual(await indexedBatches(log), [7])
  assert.equal((await log.verify()).kind, 'broken')
})
