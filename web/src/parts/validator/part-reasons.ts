import type { Scoring } from '../../data/queries.ts'
import type { ScorePart } from '../../data/score.ts'
import { formatShare } from '../format.ts'

/** A sentence on each component of a score, with the constants that the service publishes. */
export function partReasons({ constants, windows }: Scoring): Readonly<Record<ScorePart, string>> {
  const share = (name: string) => formatShare(constants[name] ?? 0, 0)
  const epochs = windows['history'] ?? 0
  return {
    apy: 'What it can be relied upon to pay next, after commission, compared with the others. One spectacular epoch changes little.',
    uptime: `Share of the last ${epochs} epochs in which it did its work, together with ${constants['priorEpochs'] ?? 0} assumed ones at ${share('priorQuality')}. ${formatShare(1, 0)} is best; ${share('uptimeFloor')} or less earns nothing.`,
    commission: `The highest of the last ${epochs} epochs, of now and as announced. None is best; ${share('commissionCeiling')} or more earns nothing. A cut made yesterday gains nothing yet.`,
  }
}
