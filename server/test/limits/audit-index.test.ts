import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type AdmissionStore, agentCalled, requestOf } from './admission-store.ts'
import { readAudit } from './read-audit.ts'
import { openSampleLog } from './sample-log.ts'

const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }

async function wholeLogOf({ requestLog }: AdmissionStore, id: string, limit: number): Promise<number[]> {
  const found: number[] = []
  let after: string | undefined
  do {
    const page = await requestLog.requestsOf(id, { after, limit })
    found.push(...page.requests.map(({ at }) => at))
    after = page.next
  } while (after !== undefined)
  return found
}

test("an agent's log is what the batches say, whenever it is read and in pages of whatever size", async () => {
  await using folder = await tempFolder()
  await using log = await openSampleLog(folder.path)
  for (const id of ['c', 'd']) await log.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  const sent: Record<string, number[]> = { c: [], d: [] }
  let at = log.clock.now()
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ ids: fc.array(fc.constantFrom('c', 'd', 'nobody'), { maxLength: 4 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ id: fc.constantFrom('c', 'd'), limit: fc.integer({ min: 1, max: 60 }) }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const each of steps) {
        if ('ids' in each) {
          const asked = each.ids.map((id) => {
            at += 1
            sent[id]?.push(at)
            return log.admission.admit(requestOf(id, at))
          })
          await Promise.all(asked)
        } else assert.deepEqual(await wholeLogOf(log, each.id, each.limit), sent[each.id]?.toReversed())
      }
      assert.equal((await verifyAudit(folder.path)).kind, 'intact')
    }),
    { numRuns: 15 },
  )
  assert(readAudit(folder.path).admitted.length > 100)
})
