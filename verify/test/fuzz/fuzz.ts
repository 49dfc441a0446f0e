import { bcs } from '@mysten/sui/bcs'
import { fromBase64, toBase64 } from '@mysten/sui/utils'
import { type NetworkPins, PINS, verifyTransaction } from '../../src/index.ts'
import { honestTransactions } from '../support/honest.ts'
import { outcomeOf } from './ledger.ts'
import { mutateBytes, mutateParts } from './mutate.ts'
import { randomFrom } from './random.ts'

export type Report = {
  mutants: number
  refused: number
  /** Accepted, and with the same outcome as the honest transaction: another gas price, another coin of the sender. */
  same: number
  /** Accepted, and refused by the chain: nothing happens. */
  aborted: number
  /** Accepted, with another outcome. There must be none. */
  readonly harmful: string[]
}

type Target = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly wish: object
  readonly pins: NetworkPins
  readonly outcome: string
}

const MAX_GAS = 60_000_000n
const EXPIRES = 1_000

/** The honest transactions that have bytes. Each must be accepted, and do something. */
async function targets(): Promise<readonly Target[]> {
  const all = await honestTransactions()
  return all.flatMap(({ name, network, transaction, wish }) => {
    // Testnets differ from their mainnets in ids alone.
    if (typeof transaction !== 'string' || network.endsWith('-testnet')) return []
    const pins = PINS.networks[network]
    const bytes = fromBase64(transaction)
    const bound = { ...wish, maxGas: String(MAX_GAS), expiresEpoch: EXPIRES }
    const outcome = pins ? outcomeOf(bytes, pins) : ''
    const { ok } = verifyTransaction(transaction, bound)
    if (!pins || !ok || !outcome.startsWith('sender')) throw new Error(`${name} is not honest: ${outcome}`)
    return [{ name, bytes, wish: bound, pins, outcome }]
  })
}

function judge(target: Target, mutant: Uint8Array, report: Report): void {
  report.mutants += 1
  const { ok } = verifyTransaction(mutant, target.wish)
  if (!ok) {
    report.refused += 1
    return
  }
  const outcome = outcomeOf(mutant, target.pins)
  if (outcome === 'abort') report.aborted += 1
  else if (outcome === target.outcome && isWithinBounds(mutant)) report.same += 1
  else report.harmful.push(`${target.name}: ${toBase64(mutant)}\n${outcome}`)
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

/** Checks what the model chain ignores: the gas budget and the expiry. */
function isWithinBounds(bytes: Uint8Array): boolean {
  const { gasData, expiration } = bcs.TransactionData.parse(bytes).V1
  const last = expiration.Epoch ?? expiration.ValidDuring?.maxEpoch ?? expiration.Validity?.maxEpoch
  return BigInt(gasData.budget) <= MAX_GAS && last !== undefined && Number(last) <= EXPIRES
}

/**
 * Changes every byte of the named honest transactions once, then mutates parts and bytes of all of them at random until
 * there are enough.
 */
export async function fuzz(mutants: number, seed: number, everyByteOf = /./): Promise<Report> {
  const random = randomFrom(seed)
  const all = await targets()
  const report: Report = { mutants: 0, refused: 0, same: 0, aborted: 0, harmful: [] }
  for (const target of all.filter(({ name }) => everyByteOf.test(name))) {
    for (const at of target.bytes.keys()) {
      const mutant = target.bytes.slice()
      mutant[at] = (target.bytes[at] ?? 0) ^ (1 + random.below(255))
      judge(target, mutant, report)
    }
  }
  while (report.mutants < mutants) {
    const target = random.pick(all)
    const isOfBytes = random.below(8) === 0
    const mutant = isOfBytes ? mutateBytes(target.bytes, random) : mutateParts(target.bytes, random)
    if (mutant && !isEqual(mutant, target.bytes)) judge(target, mutant, report)
  }
  return report
}
