import { readFile } from 'node:fs/promises'
import { estimateApy } from '../../server/src/domain/network/apy.ts'
import type { EpochRecord } from '../../server/src/ports/chain/staking-chain.ts'

const DAY_MS = 86_400_000

/** By name, newest or oldest first: the epoch, and what so many pool tokens were worth when it began. */
type Rates = Readonly<Record<string, readonly (readonly [number, Rate])[]>>
type Rate = { readonly sui_amount: string; readonly pool_token_amount: string }

/** The APY that we read out of a file of exchange rates, beside what Sui's own nodes used to make of it. */
export async function reportRates(path: string): Promise<void> {
  const rates = toRates(await readFile(path, 'utf8'))
  const newest = Math.max(...Object.values(rates).flatMap((points) => points.map(([epoch]) => epoch)))
  const ours: number[] = []
  const theirs: number[] = []
  for (const [name, points] of Object.entries(rates)) {
    const records = points.map(([epoch, rate]) => toRecord(name, epoch, rate))
    const estimate = estimateApy(records, { currentEpoch: newest + 1, epochDurationMs: DAY_MS })
    if (estimate) ours.push(estimate.apy)
    const reference = referenceApy(points)
    if (reference !== undefined) theirs.push(reference)
  }
  console.log(`${Object.keys(rates).length} pools, epochs up to ${newest}; APY in percent`)
  console.log(`  ours       ${spread(ours)}`)
  console.log(`  reference  ${spread(theirs)}`)
}

/** Amounts are larger than a float can hold: they are read as text. The file is the caller's own. */
function toRates(text: string): Rates {
  return JSON.parse(text.replaceAll(/("(?:sui_amount|pool_token_amount)":)(\d+)/g, '$1"$2"')) as Rates
}

/** The rate at the beginning of an epoch holds what the epochs before it have earned. */
const toRecord = (validatorId: string, epoch: number, rate: Rate): EpochRecord => ({
  validatorId,
  epoch,
  endedAt: epoch * DAY_MS,
  rate: { tokens: BigInt(rate.sui_amount), shares: BigInt(rate.pool_token_amount) },
  stake: 0n,
  commissionBps: 0,
  commissionSource: 'read',
  performed: undefined,
})

/** Neighbours in the list, as if an epoch lay between them; values outside 0…10 % dropped; mean of up to thirty. */
function referenceApy(points: Rates[string]): number | undefined {
  const rate = ([, { sui_amount, pool_token_amount }]: Rates[string][number]) =>
    Number(pool_token_amount) / Number(sui_amount)
  const newestFirst = points.toSorted(([a], [b]) => b - a).map(rate)
  const apys = newestFirst
    .slice(1)
    .map((older, index) => (older / (newestFirst[index] ?? older)) ** 365 - 1)
    .filter((apy) => apy > 0 && apy < 0.1)
    .slice(0, 30)
  return apys.length > 0 ? (100 * apys.reduce((sum, apy) => sum + apy, 0)) / apys.length : undefined
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
  return `${at(0)} … ${at(0.5)} … ${at(1)} (lowest, median, highest of ${sorted.length})`
}
