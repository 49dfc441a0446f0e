import assert from 'node:assert/strict'
import { type Client, createClient } from '@stakewright/client'
import type { Kysely } from 'kysely'
import type { Schema } from '#adapters/sql/schema.ts'
import { ME } from '../../support/holdings.ts'
import { isCut } from './is-cut.ts'

/** The agent's window, large enough for all builds of a test, and the lower bound of a build. */
export const WINDOW = 4_000_000_000_000n
const LEAST = 10_000_000_000n

/** A build that was sent. Amounts are unique, so that reservations can be matched with builds. */
type Sent = { readonly amount: bigint; readonly name: string | undefined }
type Acknowledged = Sent & { readonly intentId: string; release: 'none' | 'acknowledged' | 'unsure' }

/** The answers to all builds, over all rounds. */
export function openLedger() {
  let sent = 0
  return {
    acknowledged: [] as Acknowledged[],
    /** Builds without an answer, which may have been done or not. */
    unsure: [] as Sent[],
    next(): Sent {
      sent += 1
      return {
        amount: LEAST + BigInt(sent),
        name: sent % 2 === 0 ? `order-${sent}` : undefined,
      }
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>

export type Builder = { readonly key: Client; readonly validatorId: string }

export const builderAt = (url: string, apiKey: string, validatorId: string): Builder => ({
  key: createClient({ baseUrl: url, apiKey, retries: 0, timeoutMs: 60_000 }),
  validatorId,
})

export const buildAt = ({ key, validatorId }: Builder, { amount, name }: Sent) =>
  key.buildStake(
    { validatorId, amount: String(amount), sender: ME },
    name === undefined ? {} : { idempotencyKey: name },
  )

/** Builds, and releases every fifth build, until `isOver` or until there is no answer. */
export async function buildOn(ledger: Ledger, builder: Builder, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const sent = ledger.next()
    const built = await orCut(buildAt(builder, sent))
    if (built === 'cut') {
      ledger.unsure.push(sent)
      return
    }
    const one: Acknowledged = { ...sent, intentId: built.intentId, release: 'none' }
    ledger.acknowledged.push(one)
    if (sent.amount % 5n !== 0n) continue
    one.release = 'unsure'
    if ((await orCut(builder.key.releaseReservation({ intentId: one.intentId }))) === 'cut') return
    one.release = 'acknowledged'
  }
}

/** `cut` if the outcome is unknown. A refusal is rethrown and fails the test: the window has room for all builds. */
async function orCut<T>(answer: Promise<T>): Promise<T | 'cut'> {
  try {
    return await answer
  } catch (error) {
    if (isCut(error)) return 'cut'
    throw error
  }
}

/** Repeats a named build until it is answered. */
async function buildAgain(builder: Builder, sent: Sent) {
  for (;;) {
    const built = await orCut(buildAt(builder, sent))
    if (built !== 'cut') return built
  }
}

/** Compares the reservations in the store with the answers, and checks that the window is not exceeded. */
export async function checkStore(db: Kysely<Schema>, { acknowledged, unsure }: Ledger): Promise<void> {
  const rows = (await db.selectFrom('reservations').selectAll().execute()).map((row) => ({
    intentId: row.intent_id,
    isFree: row.state === 'free',
    amount: BigInt(JSON.parse(row.items)[0].amount),
  }))
  const byAmount = new Map(rows.map((row) => [row.amount, row]))
  assert.equal(byAmount.size, rows.length, 'no build has reserved twice')
  for (const { amount, intentId, release } of acknowledged) {
    const row = byAmount.get(amount)
    assert.equal(row?.intentId, intentId, 'every acknowledged build is stored')
    if (release !== 'unsure') assert.equal(row.isFree, release === 'acknowledged')
    byAmount.delete(amount)
  }
  const known = new Set(unsure.map(({ amount }) => amount))
  for (const amount of byAmount.keys())
    assert(known.has(amount), 'every other reservation is of a build without an answer')
  const counted = rows.reduce((sum, { amount, isFree }) => (isFree ? sum : sum + amount), 0n)
  assert(counted <= WINDOW, 'the window is exceeded')
}

/** Repeats named builds without an answer on all instances: each must be one transaction. */
export async function repeatUnsure(ledger: Ledger, builders: readonly Builder[]): Promise<void> {
  const named = ledger.unsure.filter(({ name }) => name !== undefined)
  for (const sent of named) {
    const answers = await Promise.all([...builders, ...builders].map((builder) => buildAgain(builder, sent)))
    const ids = new Set(answers.map(({ intentSignature }) => intentSignature.value))
    assert.equal(ids.size, 1, 'a named build is one transaction, on every instance')
    ledger.unsure.splice(ledger.unsure.indexOf(sent), 1)
    ledger.acknowledged.push({ ...sent, intentId: answers[0]?.intentId ?? '', release: 'none' })
  }
}

/** Asserts that a repeated name returns the same transaction, or is refused if the build was released. */
export async function repeatNamed({ acknowledged }: Ledger, builder: Builder): Promise<number> {
  const named = acknowledged.filter(({ name, release }) => name !== undefined && release !== 'unsure')
  for (const one of named) {
    const again = buildAgain(builder, one)
    if (one.release === 'none') assert.equal((await again).intentId, one.intentId)
    else await assert.rejects(again, { code: 'invalid_input' })
  }
  return named.length
}
