import { hash } from 'node:crypto'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
import { call, refusal, wrongField } from '../../../fault.ts'
import type { World } from '../world/world.ts'

type Done = Extract<ExecutionResult, { kind: 'done' }>
type Outcome = { readonly world: World | undefined; readonly result: ExecutionResult }

type Transaction = {
  readonly sender: string
  readonly commands: readonly Command[]
  /** Undefined: commands without an intent, which may be executed any number of times. */
  readonly nonce: string | undefined
  readonly lastEpoch: number | undefined
}

/**
 * Executes a transaction at most once. A repeat changes nothing and returns the first result, as a node does for a
 * digest that it knows. An aborted transaction counts as not executed.
 */
export function executeOnce(world: World, transaction: Transaction, execute: () => Outcome): Outcome {
  if (transaction.nonce === undefined) return execute()
  const digest = digestOf(transaction)
  const before = world.executed.get(digest)
  if (before !== undefined) return { world: undefined, result: toResult(before.effects) }
  const until = endOf(transaction, world)
  refuseTooMany(world)
  const outcome = execute()
  if (outcome.world === undefined || outcome.result.kind === 'aborted') return outcome
  outcome.world.executed.set(digest, { until, effects: toText(outcome.result) })
  forgetExpired(outcome.world)
  return outcome
}

const digestOf = ({ sender, commands, nonce }: Transaction): string =>
  hash('sha256', JSON.stringify([sender, nonce, commands]), 'base64url')

/** A later end is refused: the transaction would have to be remembered for longer than two epochs. */
function endOf({ lastEpoch }: Transaction, { epoch }: World): number {
  if (lastEpoch !== undefined && lastEpoch <= epoch + 1) return lastEpoch
  throw wrongField('intent', 'expires later than any transaction that is built here', {
    fix: 'Send `intent` as the build has returned it.',
  })
}

/** Characters of records from which on those of expired transactions are dropped: about a thousand transactions. */
const MAX_STORED = 300_000
/** Characters of records of transactions that have not expired. Every change writes all of them. */
const MAX_UNEXPIRED = 5 * MAX_STORED

const sizeOf = (records: Iterable<readonly [string, { readonly effects: string }]>): number =>
  Iterator.from(records).reduce((sum, [digest, { effects }]) => sum + digest.length + effects.length, 0)

function refuseTooMany({ executed, epoch }: World): void {
  if (sizeOf(executed.entries().filter(([, { until }]) => until >= epoch)) < MAX_UNEXPIRED) return
  throw refusal(
    'forbidden',
    'The sandbox has executed as many transactions as it can remember in two epochs.',
    `Advance it by two epochs with ${call('sandboxAdvance')}, and build the transaction again.`,
    { next: { endpoint: 'sandboxAdvance', given: { epochs: 2 } } },
  )
}

/** Removes the oldest records, but none of a transaction that has not expired: a repeat would execute it again. */
function forgetExpired({ executed, epoch }: World): void {
  let stored = sizeOf(executed)
  for (const record of executed) {
    if (stored <= MAX_STORED) return
    const [digest, { until }] = record
    if (until >= epoch) continue
    executed.delete(digest)
    stored -= sizeOf([record])
  }
}

type Stored = readonly [
  epoch: number,
  created: readonly (readonly [
    id: string,
    validatorId: string,
    principal: string,
    activationEpoch: number,
  ])[],
  changed: readonly (readonly [id: string, withdrawEpoch: number | null])[],
  consumed: readonly string[],
  coinsPaidOut: string,
]

function toText({ epoch, created, changed, consumed, coinsPaidOut }: Done): string {
  const stored: Stored = [
    epoch,
    created.map(({ id, validatorId, principal, activationEpoch }) => [
      id,
      validatorId,
      `${principal}`,
      activationEpoch,
    ]),
    changed.map(({ id, withdrawEpoch }) => [id, withdrawEpoch ?? null]),
    consumed,
    `${coinsPaidOut}`,
  ]
  return JSON.stringify(stored)
}

/** Every text was written by `toText`. */
function toResult(text: string): Done {
  const [epoch, created, changed, consumed, coinsPaidOut] = JSON.parse(text) as Stored
  return {
    kind: 'done',
    epoch,
    created: created.map(([id, validatorId, principal, activationEpoch]) => ({
      id,
      validatorId,
      principal: BigInt(principal),
      activationEpoch,
    })),
    changed: changed.map(([id, withdrawEpoch]) => ({ id, withdrawEpoch: withdrawEpoch ?? undefined })),
    consumed,
    coinsPaidOut: BigInt(coinsPaidOut),
  }
}
