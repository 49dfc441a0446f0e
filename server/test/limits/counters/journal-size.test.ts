import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { tempFolder } from '../../support/temp-folder.ts'
import { testClock } from '../../support/test-clock.ts'
import { type AdmissionStore, agentCalled, openAdmissionStore, requestOf } from '../admission-store.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }
const AGENTS = 200
const COMMITS = 6
const ENTRIES = 300
const JOURNAL = { pages: 1, rowsPerPage: 1, agents: AGENTS, entries: ENTRIES, commits: COMMITS, folded: 1 }

async function openStore(folder: string): Promise<AdmissionStore> {
  const store = await openAdmissionStore(folder, testClock(NOON), { journal: JOURNAL })
  for (let at = 0; at < AGENTS; at += 1)
    await store.agents.register(agentCalled(`a${at}`, { customLimits: LIMITS }), undefined)
  return store
}

/** One commit with a request of each of `count` agents, from agent number `first` on. */
function askMany({ admission }: AdmissionStore, count: number, first: number) {
  const ids = Array.from({ length: count }, (_, at) => `a${(first + at) % AGENTS}`)
  return Promise.all(ids.map((id) => admission.admit(requestOf(id, NOON))))
}

const journalOf = ({ store }: AdmissionStore) =>
  store.exclusive((database) => {
    const { rows, entries } =
      database
        .prepare('select count(*) as rows, sum(json_array_length(body)) as entries from counter_journal')
        .get() ?? {}
    return { rows: Number(rows), entries: Number(entries ?? 0) }
  })

test('the journal of counters never exceeds two generations, however the size of commits drifts', async () => {
  await using folder = await tempFolder()
  await using store = await openStore(folder.path)
  let [mostRows, mostEntries] = [0, 0]
  for (let commit = 0; commit < 150; commit += 1) {
    await askMany(store, 3 + ((commit * 37) % 170), commit * 31)
    const { rows, entries } = await journalOf(store)
    mostRows = Math.max(mostRows, rows)
    mostEntries = Math.max(mostEntries, entries)
  }
  assert(mostRows > 1 && mostRows <= 2 * COMMITS, `${mostRows} rows`)
  // A generation ends with the commit that fills it.
  assert(mostEntries <= 2 * (ENTRIES + AGENTS), `${mostEntries} counters`)
})

test('a generation also ends by its number of counters: few commits of many agents are folded', async () => {
  await using folder = await tempFolder()
  const journal = { ...JOURNAL, entries: 40, agents: 1_000, commits: 1_000 }
  await using store = await openAdmissionStore(folder.path, testClock(NOON), { journal })
  for (let at = 0; at < 20; at += 1)
    await store.agents.register(agentCalled(`a${at}`, { customLimits: LIMITS }), undefined)
  const ids = Array.from({ length: 20 }, (_, at) => `a${at}`)
  for (let commit = 0; commit < 20; commit += 1)
    await Promise.all(ids.map((id) => store.admission.admit(requestOf(id, NOON))))
  const { rows } = await journalOf(store)
  assert(rows <= 5, `${rows} rows`)
})

test('requests counted after the journal was emptied from outside are on the disk when acknowledged', async () => {
  await using folder = await tempFolder()
  await using store = await openStore(folder.path)
  for (let commit = 0; commit < 30; commit += 1) await askMany(store, 5, 0)
  {
    using other = new DatabaseSync(join(folder.path, 'stakewright.db'), { timeout: 5_000 })
    assert.notEqual(other.prepare('delete from counter_journal').run().changes, 0)
  }
  for (let commit = 0; commit < 4; commit += 1) await askMany(store, 5, 0)
  await using image = await tempFolder()
  for (const name of ['stakewright.db', 'stakewright.db-wal'])
    await copyFile(join(folder.path, name), join(image.path, name))
  using killed = new DatabaseSync(join(image.path, 'stakewright.db'))
  const used = killed.prepare('select day_used from agent_counters where day_used > 0').all()
  assert.deepEqual(
    used.map((row) => row['day_used']),
    [34, 34, 34, 34, 34],
  )
})
