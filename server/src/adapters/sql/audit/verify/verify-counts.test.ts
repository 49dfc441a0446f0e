import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, PROFILE_DAYS } from '../../../../durations.ts'
import type { AdmittedRequest } from '../batch.ts'
import { Broken } from './verdict.ts'
import { type DayCount, verifyCounts } from './verify-counts.ts'

const DAY = 20_000
const AGENT = 1

const requestAt = (ticket: number, at: number): AdmittedRequest => [ticket, at, AGENT, 'usage', '192.0.2.0']

async function* each<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

const counted = (requests: number): DayCount => ({ agentNo: AGENT, day: DAY, requests, charged: requests })

test('daily counts are compared only for days of which all rows are kept', async () => {
  const compare = async (newest: number) => {
    const verified = verifyCounts()
    verified.add([requestAt(1, DAY * DAY_MS), requestAt(2, DAY * DAY_MS)], 1)
    await verified.compare(each(counted(1)), { kept: undefined, newest })
  }
  await assert.rejects(compare(DAY + PROFILE_DAYS - 1), Broken)
  await compare(DAY + PROFILE_DAYS)
})

test('a quota restarted by a clock set back over midnight is not reported as lowered', async () => {
  const midnight = (DAY + 1) * DAY_MS
  /** In order of the calendar, as Postgres keeps them: seconds beside midnight, with the number of the batch. */
  const verify = async (requests: readonly (readonly [seconds: number, seq: number])[]) => {
    const verified = verifyCounts()
    for (const [seconds, seq] of requests) verified.add([requestAt(seq, midnight + seconds * 1_000)], seq)
    const isBefore = ([seconds]: readonly [number, number]) => seconds < 0
    const before = requests.filter(isBefore).length
    const counts = [counted(before), { ...counted(requests.length - before), day: DAY + 1 }]
    await verified.compare(each(...counts), { kept: undefined, newest: DAY + 1 })
    const charge = { agentNo: AGENT, dayStart: DAY * DAY_MS, dayUsed: 1 }
    await verified.charges.compare(each(charge), DAY + 1)
  }
  await verify([
    [-600, 1],
    [-320, 3],
    [-10, 4],
    [2, 2],
  ])
  await assert.rejects(
    verify([
      [-600, 1],
      [-10, 3],
      [2, 4],
    ]),
    ({ verdict }: Broken) =>
      verdict.kind === 'broken' && /its quota was charged with 0$/.test(verdict.reason),
  )
})
