import { hash } from 'node:crypto'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
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
  const outcome = execute()
  if (outcome.world === undefined || outcome.result.kind === 'aborted') return outcome
  // Built transactions expire with the next epoch at the latest, so a later `lastEpoch` is not remembered for longer.
  const until = Math.min(transaction.lastEpoch ?? world.epoch, world.epoch + 1)
  outcome.world.executed.set(digest, { until, effects: toText(outcome.result) })
  forgetExpired(outcome.world)
  return outcome
}

const digestOf = ({ sender, commands, nonce }: Transaction): string =>
  hash('sha256', JSON.stringify([sender, nonce, commands]), 'base64url')

/** Characters of effects to store at most: about a thousand transactions. */
const MOST_STORED = 300_000

/** Removes the oldest records, but none of a transaction that has not expired: a repeat would execute it again. */
function forgetExpired({ executed, epoch }: World): void {
  let stored = executed.values().reduce((sum, { effects }) => sum + effects.length, 0)
  for (const [digest, { until, effects }] of executed) {
    if (stored <= MOST_STORED) return
    if (until >= epoch) continue
    executed.delete(digest)
    stored -= effects.length
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
