import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { ledgerSeal } from '#adapters/sql/stores/policy/ledger/ledger-seal.ts'
import { isWholeLedger } from '#adapters/sql/stores/policy/ledger/whole-ledger.ts'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Reservation, ReserveTerms, WindowPart, WindowUse } from '#ports/stores/reservations.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import type { Database } from '../../src/adapters/sql/schema.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { agentWithPolicy } from './agent-with-policy.ts'

/** The first millisecond of a minute: builds a few milliseconds around it fall into two minutes. */
const NOW = Date.UTC(2026, 4, 17, 12, 34)
const LIMIT = 1_000n

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

const wish = fc.record({
  at: fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((ms) => NOW + ms),
    fc.constantFrom(NOW - HOUR_MS, NOW - HOUR_MS + 1, NOW - DAY_MS - 1, NOW - 15 * MINUTE_MS),
  ),
  epoch: fc.integer({ min: 1, max: 3 }),
  amount: fc.bigInt({ min: 1n, max: 400n }),
  window: fc.constantFrom('hour', 'day', 'epoch'),
  looksAtBuilds: fc.boolean(),
  revision: fc.constantFrom(1, 1, 1, 1, 2),
  key: fc.constantFrom(undefined, undefined, undefined, 'a', 'b', 'c'),
})
type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never

const scene = fc.record({
  /** Builds made before the ones that are compared. */
  before: fc.array(wish, { maxLength: 4 }),
  /** Adds one more build before them, dated ahead of the clock. */
  isAhead: fc.boolean(),
  wishes: fc.array(wish, { minLength: 2, maxLength: 12 }),
})

const partOf = ({ at, epoch, looksAtBuilds }: Wish): WindowPart => ({
  spans: { hour: { since: at - HOUR_MS }, day: { since: at - DAY_MS }, epoch: { epoch } },
  builtSince: looksAtBuilds ? at - 15 * MINUTE_MS : undefined,
  latest: at + 5 * MINUTE_MS,
})

const toReservation = (id: string, { at, epoch, amount }: Wish): Reservation => ({
  id,
  intentId: `of ${id}`,
  at,
  expiresAt: at + 10 * MINUTE_MS,
  epoch,
  sender: undefined,
  items: [{ action: 'stake', validatorId: '0x1', amount, token: undefined, alike: undefined }],
  isSeen: false,
})

/** The window use that the store passed to a build's `place`. */
type Shown = Omit<WindowUse, 'built'> & { readonly built: readonly string[] }
type Result = { readonly outcome: unknown; readonly shown: readonly Shown[] }

/** Terms of a build that is placed if its window has room; records each window use in `shown`. */
function termsOf(no: number, id: string, own: Wish, shown: Shown[]): ReserveTerms {
  const { at, amount, window, revision, key } = own
  return {
    policyRevision: revision,
    part: partOf(own),
    at,
    place: (found) => {
      const dates = found.built.map(({ at: date }) => date)
      assert.deepEqual(
        dates,
        dates.toSorted((a, b) => a - b),
        'oldest first',
      )
      const built = found.built.map(
        (one) => `${one.id.replace(`${no} `, '')} ${one.epoch} ${one.items.map((item) => item.amount)}`,
      )
      shown.push({ ...found, built: built.toSorted() })
      if (found.needsRedating || (found.moved[window]?.stake ?? 0n) + amount > LIMIT) return undefined
      return toReservation(id, own)
    },
    kept: key && {
      digest: key,
      requestDigest: id,
      now: at,
      expiresAt: NOW + DAY_MS,
      answer: '{}',
      intentId: `of ${id}`,
      most: 2,
    },
  }
}

/** Property: concurrent builds, which the store may batch, have the same outcomes as sequential ones. */
export async function assertLikeSequential(db: Database, runs: number): Promise<void> {
  const reservations = sqlReservations({ db, queueByAgent: agentQueues(), secrets, logger: silentLogger })
  const seal = ledgerSeal(secrets)

  async function runScene(
    { before, isAhead, wishes }: typeof scene extends fc.Arbitrary<infer Value> ? Value : never,
    areTogether: boolean,
  ) {
    const no = await agentWithPolicy(db, secrets)
    const reserve = async (own: Wish, place: number | string): Promise<Result> => {
      const shown: Shown[] = []
      const outcome = await reservations.reserve(no, termsOf(no, `${no} ${place}`, own, shown)).then(
        (found) => found,
        ({ code, message }) => [code, message],
      )
      return { outcome, shown }
    }
    const results: Result[] = []
    for (const [place, own] of before.entries())
      results.push(await reserve({ ...own, revision: 1 }, `before ${place}`))
    if (isAhead && before[0]) {
      results.push(await reserve({ ...before[0], at: NOW + HOUR_MS, revision: 1, key: undefined }, 'ahead'))
      await reservations.redate(no, NOW, NOW)
    }
    if (areTogether) results.push(...(await Promise.all(wishes.map(reserve))))
    else for (const [place, own] of wishes.entries()) results.push(await reserve(own, place))
    assert(await isWholeLedger({ db, seal, agentNo: no }))
    const rows = await db
      .selectFrom('reservations')
      .select(['id', 'at', 'later_at'])
      .where('agent_no', '=', no)
      .execute()
    assert.equal(rows.length, results.filter(({ outcome }) => isDeepStrictEqual(outcome, RESERVED)).length)
    return { results, rows: rows.map((row) => ({ ...row, id: row.id.replace(`${no} `, '') })).toSorted(byId) }
  }

  await fc.assert(
    fc.asyncProperty(scene, async (drawn) => {
      assert.deepEqual(await runScene(drawn, true), await runScene(drawn, false))
    }),
    { numRuns: runs, examples: [[AT_THE_EDGE]] },
  )
}

/** Boundary case: the first build is exactly as old as the oldest that the second no longer reads. */
const AT_THE_EDGE = {
  before: [],
  isAhead: false,
  wishes: [NOW - 15 * MINUTE_MS, NOW].map(
    (at): Wish => ({
      at,
      epoch: 1,
      amount: 1n,
      window: 'hour',
      looksAtBuilds: true,
      revision: 1,
      key: undefined,
    }),
  ),
}

const RESERVED = { kind: 'reserved' }

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
