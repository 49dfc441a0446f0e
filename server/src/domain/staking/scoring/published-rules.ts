import { SCORING } from './scoring-rules.ts'

const { weights, prior, retention, uptime, commission, apy, rounding, windows } = SCORING

/** All constants of the score, by the names that the formulas use. */
export const CONSTANTS = {
  priorEpochs: prior.epochs,
  priorQuality: prior.quality,
  priorDeviation: prior.deviation,
  priorVarianceEpochs: prior.varianceEpochs,
  spikePercentile: prior.spikePercentile,
  rounding,
  uptimeFloor: uptime.floor,
  commissionCeiling: commission.ceiling,
  leastDeviation: apy.leastDeviation,
  deviationPerMedianDistance: apy.deviationPerMedianDistance,
  fallingPerEpoch: retention.falling.perEpoch,
  fallingFading: retention.falling.fading,
  evictionPerEpoch: retention.eviction.perEpoch,
  evictionFading: retention.eviction.fading,
  epochsLost: retention.epochsLost,
} as const

/** The formulas that compute a score from public answers of the API. */
export const FORMULAS = [
  'Records of a validator: the items of its apy-history of the last windows.history completed epochs (interval=epoch).',
  'growth = (1 + apy / 100) ^ (1 / epochsPerYear) − 1; 0 if not above rounding.',
  'earned = growth · size / (1 − commissionRate), size = totalStake for equal-share, totalStake / shards where the item has shards, otherwise 1; unknown where commissionRate is 1 or shards 0.',
  'relative = earned / median over all validators of the same epoch with earned > 0.',
  'ceiling = the relative at index floor(spikePercentile · (n − 1)) of the n sorted ones; each counts as at most that.',
  'expected = (sum of relatives + priorEpochs · priorQuality) / (n + priorEpochs).',
  'variance = (sum of squared distances from their mean + priorVarianceEpochs · priorDeviation²) / (n + priorVarianceEpochs).',
  'assured = max(0, expected − sqrt(variance / max(1, n))).',
  'nextStake = totalStake + pendingStake − withdrawingStake; commission = max(commissionRate, nextCommissionRate).',
  'headroom(threshold) = max(0, nextStake / threshold − 1); falling has the threshold minValidatorStake, eviction competingStake; a threshold of 0 is no danger.',
  'retention = 1 / (1 + epochsLost · sum of perEpoch · exp(−headroom / fading) over both).',
  'gross = 1 / nextStake for equal-share; nextShards / nextStake where there are shards; otherwise min(nextStake, capShare · T) / nextStake, T = sum of nextStake of those that are not not_in_next_committee.',
  'rate = assured · (1 − commission) · retention · gross; middle = median of the rates of validators without closed gates.',
  'scale = max(leastDeviation, deviationPerMedianDistance · median of |rate / middle − 1|) over the same validators.',
  'components.apy = 1 / (1 + exp(−(rate / middle − 1) / scale)).',
  'components.uptime = (share − uptimeFloor) / (1 − uptimeFloor) within 0 and 1, share = (good + priorEpochs · priorQuality) / (n + priorEpochs), good = records with performed, or with growth > 0 where performed is null.',
  'components.commission = 1 − highest / commissionCeiling within 0 and 1, highest = the highest commission of now, announced and the records.',
  'components.gate = 0 with a closed gate, otherwise min(1, n / windows.fullTrustAfter).',
  'score = 100 · gate · (weights.apy · apy + weights.uptime · uptime + weights.commission · commission), one decimal.',
] as const

/** A validator one robust deviation above the median, with 30 epochs of which it missed one, and 5 % commission. */
export const EXAMPLE = (() => {
  const inputs = { epochs: windows.history, missed: 1, highestCommission: 0.05, deviationsAboveMedian: 1 }
  const share =
    (inputs.epochs - inputs.missed + prior.epochs * prior.quality) / (inputs.epochs + prior.epochs)
  const components = {
    apy: 1 / (1 + Math.exp(-inputs.deviationsAboveMedian)),
    uptime: (share - uptime.floor) / (1 - uptime.floor),
    commission: 1 - inputs.highestCommission / commission.ceiling,
    gate: 1,
  }
  const sum =
    weights.apy * components.apy +
    weights.uptime * components.uptime +
    weights.commission * components.commission
  return { inputs, components, score: Number((100 * components.gate * sum).toFixed(1)) }
})()
