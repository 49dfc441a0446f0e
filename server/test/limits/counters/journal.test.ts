import assert from 'node:assert/strict'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { runs } from '../../support/repetitions.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { testClock } from '../../support/test-clock.ts'
import {
  type AdmissionStore,
  AUDIT_SECRET,
  agentCalled,
  openAdmissionStore,
  requestOf,
} from '../admission-store.ts'

const START = Date.UTC(2026, 0, 31, 12)
const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
/** A few requests fill generations, groups and caches of this size; folding a generation takes many commits. */
const TINY = {
  journal: { pages: 1, rowsPerPage: 1, agents: 4, commits: 3, folded: 1 },
  indexed: { batches: 3, agents: 5 },
  cached: 2,
}

/** The expected counters of an agent. */
type Counted = {
  readonly dayStart: number
  readonly used: number
  readonly lastUsedAt: number
  readonly days: Map<number, number>
}

const UNUSED = { dayStart: 0, used: 0, lastUsedAt: 0 }

/** An embedded store, and a simple model of what its agents were charged. */
async function openModel(root: string) {
  const clock = testClock(START)
  const expected = new Map<string, Counted>()
  let folders = 0
  let others = 0
  const nextFolder = async () => {
    folders += 1
    const folder = join(root, String(folders))
    await mkdir(folder)
    return folder
  }
  let folder = await nextFolder()
  let store = await openAdmissionStore(folder, clock, TINY)
  await writeFile(join(folder, AUDIT_KEY_FILE), AUDIT_SECRET)
  for (const id of IDS) await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)

  function charge(id: string): number {
    const day = Math.floor(clock.now() / DAY_MS)
    const { dayStart, used, days } = expected.get(id) ?? { ...UNUSED, days: new Map() }
    const before = dayStart === day * DAY_MS ? used : 0
    days.set(day, (days.get(day) ?? 0) + 1)
    expected.set(id, { dayStart: day * DAY_MS, used: before + 1, lastUsedAt: clock.now(), days })
    return before + 1
  }

  async function reopen(at: string): Promise<void> {
    folder = at
    store = await openAdmissionStore(folder, clock, TINY)
  }

  const steps = {
    async ask({ ids, waitMs }: { readonly ids: readonly string[]; readonly waitMs: number }) {
      clock.advance(waitMs)
      const used = ids.map(charge)
      const decisions = await Promise.all(ids.map((id) => store.admission.admit(requestOf(id, clock.now()))))
      assert.deepEqual(
        decisions.map((decided) => decided.kind === 'admitted' && decided.quota?.usedDay),
        used,
      )
    },
    /** The commit fails after it has written and folded counters. */
    async fail({ ids }: { readonly ids: readonly string[] }) {
      store.admission.noteAddress({ minuteStart: clock.now(), low: 1, high: 2, hits: 3 })
      const run = (sql: string) => store.store.exclusive((database) => database.exec(sql))
      await run(`create trigger fails before insert on address_hits begin select raise(abort, 'no'); end`)
      const asked = ids.map((id) => store.admission.admit(requestOf(id, clock.now())))
      for (const { status } of await Promise.allSettled(asked)) assert.equal(status, 'rejected')
      await run('drop trigger fails')
    },
    /** A commit without agents folds as well. */
    async readPublicly() {
      await store.admission.admit(requestOf('', clock.now(), { claim: { kind: 'nobody' } }))
    },
    /** The operator raises a counter in the database of the running service. */
    async edit({ id }: { readonly id: string }) {
      using other = new DatabaseSync(join(folder, 'stakewright.db'), { timeout: 5_000 })
      const counted = expected.get(id)
      const raise = other.prepare(
        'update agent_activity set day_used = day_used + 100 where agent_no = (select no from agents where id = ?)',
      )
      const isRefused = other.prepare('select 1 from counter_journal').get() !== undefined
      if (isRefused && counted) return assert.throws(() => raise.run(id), /let the service stop/)
      raise.run(id)
      if (counted) expected.set(id, { ...counted, used: counted.used + 100 })
    },
    async registerAnother() {
      others += 1
      await store.agents.register(agentCalled(`other ${others}`), undefined)
    },
    async stop() {
      await store[Symbol.asyncDispose]()
      using closed = new DatabaseSync(join(folder, 'stakewright.db'))
      assert.deepEqual(
        { ...closed.prepare('select count(*) as left from counter_journal').get() },
        { left: 0 },
      )
      await reopen(folder)
    },
    /** Goes on with a copy of the files as they are now, as after a kill. */
    async kill() {
      const image = await nextFolder()
      for (const name of ['stakewright.db', 'stakewright.db-wal', AUDIT_KEY_FILE])
        await copyFile(join(folder, name), join(image, name))
      await store[Symbol.asyncDispose]()
      assert.equal((await verifyAudit(image)).kind, 'intact')
      await reopen(image)
    },
    read: () => compare(store, folder, expected),
  }
  return { steps, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

/** Compares the model with the counters that this process and another one read. */
async function compare(
  { agents, requestLog }: AdmissionStore,
  folder: string,
  expected: ReadonlyMap<string, Counted>,
): Promise<void> {
  using other = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true })
  const select = other.prepare(
    'select day_start, day_used, last_used_at from agent_counters join agents on no = agent_no where id = ?',
  )
  const uses = await requestLog.usesOf(IDS, 0)
  for (const id of IDS) {
    const counted = expected.get(id)
    const { dayStart, used, lastUsedAt } = counted ?? UNUSED
    const activity = uses.get(id)?.activity
    assert.deepEqual(
      [activity?.dayStart ?? 0, activity?.dayUsed ?? 0, activity?.lastUsedAt ?? 0],
      [dayStart, used, lastUsedAt],
    )
    const row = select.get(id)
    assert.deepEqual(
      [row?.['day_start'] ?? 0, row?.['day_used'] ?? 0, row?.['last_used_at'] ?? 0],
      [dayStart, used, lastUsedAt],
    )
    const days = [...(uses.get(id)?.days ?? [])].map(([day, { tools }]) => [day, tools['metadata']])
    assert.deepEqual(new Map(days as [number, number][]), counted?.days ?? new Map())
    assert.equal((await agents.find({ kind: 'everybody' }, id))?.lastUsedAt ?? 0, lastUsedAt)
  }
}

const ids = fc.array(fc.constantFrom(...IDS), { minLength: 1, maxLength: 9 })
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      ids,
      waitMs: fc.constantFrom(0, 1_000, 70_000, DAY_MS / 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), ids }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('readPublicly' as const, 'registerAnother' as const, 'read' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), id: fc.constantFrom(...IDS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stop' as const, 'kill' as const) }) },
)

test('agents are charged exactly their requests, whatever is folded, edited, stopped or killed in between', async () => {
  await using root = await tempFolder()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (drawn) => {
      count += 1
      const folder = join(root.path, `run ${count}`)
      await mkdir(folder)
      await using model = await openModel(folder)
      for (const each of drawn) {
        if (each.kind === 'ask') await model.steps.ask(each)
        else if (each.kind === 'fail') await model.steps.fail(each)
        else if (each.kind === 'edit') await model.steps.edit(each)
        else await model.steps[each.kind]()
      }
      await model.steps.read()
      await model.steps.stop()
      await model.steps.read()
    }),
    runs(30),
  )
})
