/**
 * All published parameters of the score. A change of any figure here changes `version`, so that only scores of the
 * same rules are compared.
 */
export const SCORING = {
  version: '4',
  scale: { min: 0, max: 100, decimals: 1 },
  /** score = 100 · gate · (apy · 0.50 + uptime · 0.30 + commission · 0.20) */
  weights: { apy: 0.5, uptime: 0.3, commission: 0.2 },
  /** In completed epochs. */
  windows: { history: 30, fullTrustAfter: 10 },
  /** A validator to which one of these applies scores 0 and gets no stake. */
  gates: {
    not_active: 'It is not in the committee, or is about to leave it.',
    not_in_next_committee: 'It is not in the committee that a stake made now would meet.',
    below_joining_stake: 'Its coming stake is below the least that the network lets a validator have.',
    commission_takes_all: 'Its commission, present or announced, is 100%.',
  },
  /** The APY part: a logistic curve of the assured yearly rate, measured in robust deviations from the median. */
  apy: { leastDeviation: 0.005, deviationPerMedianDistance: 1.4826 },
  /** The uptime part rises from 0 at `floor` to 1 at 100%. */
  uptime: { floor: 0.9 },
  /** The commission part falls from 1 at 0% to 0 at `ceiling`; the highest of now, announced and history counts. */
  commission: { ceiling: 0.2 },
  /**
   * The risks of losing a place in the set: the probability per epoch is `perEpoch` at the threshold and decays
   * exponentially (`fading`) with the headroom above it. `falling`: stakers leave, and the stake falls below the
   * network's minimum. `eviction`: a larger validator takes the place in a full set. A loss costs `epochsLost` epochs
   * of rewards. Fitted to the first half of a real history of the 102 largest validators of a network, and confirmed
   * by the second half.
   */
  retention: {
    falling: { perEpoch: 0.06, fading: 0.08 },
    eviction: { perEpoch: 0.3, fading: 0.044 },
    epochsLost: 3,
  },
  /** Growth of an exchange rate in one epoch that truncated divisions can make: no rewards were paid. */
  rounding: 1e-12,
  /** The prior of a validator's quality, and the number of epochs that it weighs. */
  prior: { epochs: 5, quality: 0.95, deviation: 0.02, varianceEpochs: 3, spikePercentile: 0.9 },
} as const

export type Gate = keyof typeof SCORING.gates
