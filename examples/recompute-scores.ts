import { createClient, type Reply } from '@stakewright/client'

// Recomputes every score from public answers by the formulas of GET /api/v1/staking/scoring, without the service's code,
// and compares it with the served one: `node examples/recompute-scores.ts http://127.0.0.1:3000`.
type Validator = Reply<'validators'>['data'][number]
type Item = Reply<'validatorApyHistory'>['data'][number]
export type Recomputed = { readonly id: string; readonly served: number; readonly recomputed: number }

export async function recomputeScores(baseUrl: string): Promise<readonly Recomputed[]> {
  const client = createClient({ baseUrl })
  const rules = await client.scoring()
  const { epoch, epochsPerYear } = await client.epoch()
  const { data: validators, scoringInputs } = await client.validators()
  const histories = new Map<string, readonly Item[]>()
  for (const { id } of validators) {
    const { data } = await client.validatorApyHistory({ id, period: 'all', interval: 'epoch', limit: 100 })
    const items = data.filter((item) => item.epoch >= epoch - constant(rules.windows, 'history'))
    histories.set(id, items)
  }
  const c = (name: string) => constant(rules.constants, name)
  const isEqual = scoringInputs.rewardShape === 'equal-share'
  const growthOf = ({ apy }: Item) => {
    const growth = Math.expm1(Math.log1p(apy / 100) / epochsPerYear)
    return growth > c('rounding') ? growth : 0
  }
  const sizeOf = ({ totalStake, shards }: Item) =>
    isEqual ? Number(totalStake) : shards === null ? 1 : Number(totalStake) / shards
  const earnedOf = (item: Item) => (growthOf(item) * sizeOf(item)) / (1 - item.commissionRate)
  const isKnown = ({ commissionRate, shards }: Item) => commissionRate < 1 && shards !== 0
  const typical = new Map<number, number>()
  const known = [...histories.values()].flat().filter(isKnown)
  for (const [at, items] of Map.groupBy(known, (item) => item.epoch)) {
    typical.set(at, median(items.map(earnedOf).filter((earned) => earned > 0)))
  }
  const assuredOf = (items: readonly Item[]) => {
    const relative = items
      .filter((item) => isKnown(item) && (typical.get(item.epoch) ?? 0) > 0)
      .map((item) => earnedOf(item) / (typical.get(item.epoch) ?? 1))
    const n = relative.length
    const ceiling = relative.toSorted((a, b) => a - b)[Math.floor(c('spikePercentile') * (n - 1))] ?? 0
    const values = relative.map((value) => Math.min(value, ceiling))
    const expected = (sum(values) + c('priorEpochs') * c('priorQuality')) / (n + c('priorEpochs'))
    const mean = n > 0 ? sum(values) / n : expected
    const squares = sum(values.map((value) => (value - mean) ** 2))
    const weight = c('priorVarianceEpochs')
    const variance = (squares + weight * c('priorDeviation') ** 2) / (n + weight)
    return Math.max(0, expected - Math.sqrt(variance / Math.max(1, n)))
  }
  const nextStakeOf = (one: Validator) =>
    Number(BigInt(one.totalStake) + BigInt(one.pendingStake) - BigInt(one.withdrawingStake))
  const members = validators.filter(({ ineligible }) => !ineligible.includes('not_in_next_committee'))
  const cap = (scoringInputs.capShare ?? 1) * Math.max(1, sum(members.map(nextStakeOf)))
  const danger = (stake: number, threshold: number, perEpoch: number, fading: number) =>
    threshold === 0 ? 0 : perEpoch * Math.exp(-Math.max(0, stake / threshold - 1) / fading)
  const commissionOf = (one: Validator) => Math.max(one.commissionRate, one.nextCommissionRate)
  const rateOf = (one: Validator) => {
    const stake = Math.max(1, nextStakeOf(one))
    const [least, other] = [scoringInputs.minValidatorStake, scoringInputs.competingStake].map(Number)
    const falling = danger(stake, least ?? 0, c('fallingPerEpoch'), c('fallingFading'))
    const lost = falling + danger(stake, other ?? 0, c('evictionPerEpoch'), c('evictionFading'))
    const gross = (isEqual ? 1 : (one.nextShards ?? Math.min(stake, cap))) / stake
    const assured = assuredOf(histories.get(one.id) ?? [])
    return (assured * (1 - commissionOf(one)) * gross) / (1 + c('epochsLost') * lost)
  }
  const rates = validators.filter(({ ineligible }) => ineligible.length === 0).map(rateOf)
  const middle = median(rates)
  const distance = median(rates.map((rate) => Math.abs(rate / middle - 1)))
  const scale = Math.max(c('leastDeviation'), c('deviationPerMedianDistance') * distance)
  return validators.flatMap((one) => {
    const items = histories.get(one.id) ?? []
    if (one.score === null) return []
    const good = items.filter((item) => item.performed ?? growthOf(item) > 0).length
    const share = (good + c('priorEpochs') * c('priorQuality')) / (items.length + c('priorEpochs'))
    const highest = Math.max(commissionOf(one), ...items.map(({ commissionRate }) => commissionRate))
    const parts = {
      apy: middle > 0 ? 1 / (1 + Math.exp(-(rateOf(one) / middle - 1) / scale)) : 0.5,
      uptime: clip((share - c('uptimeFloor')) / (1 - c('uptimeFloor'))),
      commission: clip(1 - highest / c('commissionCeiling')),
    }
    const weigh = (name: keyof typeof parts) => constant(rules.weights, name) * parts[name]
    const gate =
      one.ineligible.length > 0 ? 0 : Math.min(1, items.length / constant(rules.windows, 'fullTrustAfter'))
    const recomputed = 100 * gate * (weigh('apy') + weigh('uptime') + weigh('commission'))
    return [{ id: one.id, served: one.score, recomputed: Number(recomputed.toFixed(1)) }]
  })
}

const constant = (table: Reply<'scoring'>['constants'], name: string): number => table[name] ?? Number.NaN
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const clip = (value: number) => Math.min(1, Math.max(0, value))
const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

if (import.meta.main) console.table(await recomputeScores(process.argv[2] ?? 'http://127.0.0.1:3000'))
