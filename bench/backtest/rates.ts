import { readFile } from 'node:fs/promises'
import { estimateApy } from '../../server/src/domain/network/apy.ts'
import type { EpochRecord } from '../../server/src/ports/chain/staking-chain.ts'
import { quantile } from '../support/quantiles.ts'

const DAY_MS = 86_400_000

/** By pool name, sorted by epoch in either direction: each epoch with the exchange rate at its beginning. */
type Rates = Readonly<Record<string, readonly (readonly [number, Rate])[]>>
type Rate = { readonly sui_amount: string; readonly pool_token_amount: string }

/** Prints the APYs that the service computes from a file of exchange rates, beside those of the algorithm of Sui's nodes. */
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

/** Quotes the amounts before parsing: they exceed the integers a float can hold. The file is trusted, so it is not validated. */
function toRates(text: string): Rates {
  return JSON.parse(text.replaceAll(/("(?:sui_amount|pool_token_amount)":)(\d+)/g, '$1"$2"')) as Rates
}

/** The rate at the beginning of an epoch includes the rewards of the epochs before it. */
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

/** Treats neighbours in the list as consecutive epochs, drops yields outside 0…10 %, and takes the mean of up to thirty. */
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
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(values, share).toFixed(2))
  return `${low} … ${middle} … ${high} (lowest, median, highest of ${values.length})`
}
