import type { Scoring } from '../../data/queries.ts'
import type { ScorePart } from '../../data/score.ts'
import { formatShare } from '../format.ts'

/** What each component of a score is, in a sentence, with the constants that the service publishes. */
export function partReasons({ constants, windows }: Scoring): Readonly<Record<ScorePart, string>> {
  const share = (name: string) => formatShare(constants[name] ?? 0, 0)
  const epochs = windows['history'] ?? 0
  return {
    apy: 'What it can be relied upon to pay next, net of commission, against the field. One spectacular epoch changes little.',
    uptime: `Share of the last ${epochs} epochs it performed in, counted with ${constants['priorEpochs'] ?? 0} more at ${share('priorQuality')}: 0 at ${share('uptimeFloor')}, 1 at ${formatShare(1, 0)}.`,
    commission: `The highest of the last ${epochs} epochs, now, or announced: 1 at none, 0 at ${share('commissionCeiling')}. A cut of yesterday gains nothing.`,
  }
}
