import { hash } from 'node:crypto'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
import { call, refusal, wrongField } from '../../../fault.ts'
import type { Holder } from '../world/holder.ts'
import { roomFor } from '../world/room.ts'
import type { Executed, World } from '../world/world.ts'

type Done = Extract<ExecutionResult, { kind: 'done' }>
type Outcome = { readonly world: World | undefined; readonly result: ExecutionResult }

type Transaction = {
  readonly sender: string
  readonly commands: readonly Command[]
  /** Undefined: commands without an intent, which may be executed any number of times. */
  readonly nonce: string | undefined
  readonly lastEpoch: number | undefined
  /** Undefined: without a key, only the total of the records is limited. */
  readonly holder: Holder | undefined
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
  refuseTooMany(world, transaction.holder)
  const outcome = execute()
  if (outcome.world === undefined || outcome.result.kind === 'aborted') return outcome
  const { holder } = transaction
  outcome.world.executed.set(digest, { until, effects: toText(outcome.result), holder })
  forgetExpired(outcome.world, holder)
  return outcome
}

const digestOf = ({ sender, commands, nonce }: Transaction): string =>
  hash('sha256', JSON.stringify([sender, nonce, commands]), 'base64url')

/** A later expiry is refused: the transaction would have to be remembered for longer than two epochs. */
function endOf({ lastEpoch }: Transaction, { epoch }: World): number {
  if (lastEpoch !== undefined && lastEpoch <= epoch + 1) return lastEpoch
  throw wrongField('intent', 'expires later than any transaction that is built here', {
    fix: 'Send `intent` as the build has returned it.',
  })
}

/** Beyond this many characters of records, those of expired transactions are dropped: about a thousand transactions. */
const MAX_STORED = 300_000
/**
 * The maximum number of characters of records of transactions that have not expired. Every change writes all of them.
 */
const MAX_UNEXPIRED = 5 * MAX_STORED

/** Beyond `MAX_STORED`, a key first loses its own expired records beyond this size. */
const MAX_STORED_OF_KEY = MAX_STORED / 10

type Entry = readonly [digest: string, Executed]

const sizeOf = ([digest, { effects }]: Entry): number => digest.length + effects.length
const sizeOfAll = (records: Iterable<Entry>): number =>
  Iterator.from(records).reduce((sum, record) => sum + sizeOf(record), 0)

function refuseTooMany({ executed, epoch }: World, holder: Holder | undefined): void {
  const unexpired = [...executed].filter(([, { until }]) => until >= epoch)
  const uses = unexpired.map((record) => ({ holder: record[1].holder, size: sizeOf(record) }))
  const room = holder && roomFor(holder, uses, MAX_UNEXPIRED)
  if (room ? room.left > 0 : sizeOfAll(unexpired) < MAX_UNEXPIRED) return
  const whose = { key: ' of this key', network: ' of the keys of your network address' }
  throw refusal(
    'forbidden',
    `The sandbox has executed as many transactions${room ? whose[room.of] : ''} as it can remember in two epochs.`,
    `Advance it by two epochs with ${call('sandboxAdvance')}, and build the transaction again.`,
    { next: { endpoint: 'sandboxAdvance', given: { epochs: 2 } } },
  )
}

/**
 * Removes the oldest records, first those of a key that executes many. Keeps those of transactions that have not
 * expired: without the record a repeat would execute the transaction again.
 */
function forgetExpired({ executed, epoch }: World, holder: Holder | undefined): void {
  let excess = sizeOfAll(executed) - MAX_STORED
  if (excess <= 0) return
  const expired = [...executed].filter(([, { until }]) => until < epoch)
  const own = expired.filter((record) => holder && record[1].holder?.agentId === holder.agentId)
  let ownExcess = sizeOfAll(own) - MAX_STORED_OF_KEY
  const first: Entry[] = []
  for (const record of own) {
    if (ownExcess <= 0) break
    first.push(record)
    ownExcess -= sizeOf(record)
  }
  for (const record of new Set([...first, ...expired])) {
    if (excess <= 0) return
    executed.delete(record[0])
    excess -= sizeOf(record)
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
