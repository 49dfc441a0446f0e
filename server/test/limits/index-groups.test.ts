import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { type AdmissionStore, agentCalled, openAdmissionStore, requestOf } from './admission-store.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const LIMITS = { rpm: 100_000, rpd: 100_000 }
/** As many as a service takes together. */
const GROUP = 512

const openIn = (folder: string) => openAdmissionStore(folder, testClock(NOON))

async function commitBatches({ admission }: AdmissionStore, count: number): Promise<void> {
  for (let batch = 0; batch < count; batch += 1) await admission.admit(requestOf('a', NOON))
}

const indexedUpTo = ({ store }: AdmissionStore) =>
  store.exclusive(
    (database) =>
      database.prepare("select coalesce(max(no), 0) as no from audit_marks where name = 'indexed'").get()?.[
        'no'
      ],
  )

test('whoever reads the log of an agent finds every request, however many batches are not indexed yet', async () => {
  await using folder = await tempFolder()
  await using store = await openIn(folder.path)
  await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
  await commitBatches(store, GROUP - 1)
  assert.equal(await indexedUpTo(store), 0)
  const { requests } = await store.requestLog.requestsOf('a', { after: undefined, limit: GROUP })
  assert.equal(requests.length, GROUP - 1)
})

test('what an earlier process has not indexed is caught up with while requests are served', async () => {
  await using folder = await tempFolder()
  {
    await using store = await openIn(folder.path)
    await store.agents.register(agentCalled('a', { customLimits: LIMITS }), undefined)
    await commitBatches(store, GROUP - 1)
  }
  await using store = await openIn(folder.path)
  await commitBatches(store, 3 * GROUP)
  const before = Number(await indexedUpTo(store))
  assert(before > 3 * GROUP - 1, `indexed up to ${before}`)
  await commitBatches(store, GROUP)
  assert(Number(await indexedUpTo(store)) >= before + GROUP - 64)
})
