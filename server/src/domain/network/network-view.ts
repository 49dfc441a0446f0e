import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Digest } from '#ports/digest.ts'
import { compare } from '../compare.ts'
import { type Calibrations, rememberCalibrations } from '../staking/forecast/current-calibration.ts'
import { type PastProjections, rememberProjections } from '../staking/forecast/past-projections.ts'
import { type ScoredValidator, scoreValidators } from '../staking/scoring/score.ts'
import { type ApyPoint, apyHistory, networkApyHistory } from './apy-history.ts'
import type { History } from './history.ts'
import { totalStake } from './plausibility.ts'

/** A snapshot with the values that are computed from it once for all requests. Immutable. */
export type NetworkView = {
  readonly snapshot: ChainSnapshot
  readonly history: History
  /** Best score first. */
  readonly scored: readonly ScoredValidator[]
  readonly byId: ReadonlyMap<string, ScoredValidator>
  /** A hash of the content: equal for snapshots that differ only in their checkpoint and its time. */
  readonly contentId: string
  /** APY per completed epoch, of a validator or of the whole network; computed when it is first asked for. */
  apyPoints(validatorId: string | undefined): readonly ApyPoint[]
  /**
   * The errors of past projections, computed on first use, once for each history and rules of the chain. A new epoch
   * does not change them before its records are there: without records it would count as unpaid.
   */
  readonly calibration: Calibrations
  /** The cache of projections for past epochs, which later views share. */
  readonly projections: PastProjections
  /** The network's stake when this epoch was first seen. */
  readonly stakeOfEpoch: bigint
}

/** A view with the same content as the one before reuses its computed values. */
export function viewNetwork(
  snapshot: ChainSnapshot,
  history: History,
  digest: Digest,
  present?: NetworkView,
): NetworkView {
  const contentId = digest(contentOf(snapshot))
  if (present?.contentId === contentId && present.history === history) return { ...present, snapshot }
  const scored = scoreValidators(snapshot, history.byValidator, reusablePast(snapshot, history, present))
  const byId = new Map(scored.map((one) => [one.validator.id, one]))
  const isSameEpoch = present?.snapshot.epoch.number === snapshot.epoch.number
  const projections = rememberProjections(snapshot, history, present?.projections)
  return {
    snapshot,
    history,
    scored,
    byId,
    contentId,
    apyPoints: rememberApyPoints(snapshot, history),
    calibration:
      present?.history === history && present.projections.rules === projections.rules
        ? present.calibration
        : rememberCalibrations(snapshot, history, projections),
    projections,
    stakeOfEpoch: isSameEpoch ? present.stakeOfEpoch : totalStake(snapshot),
  }
}

/**
 * The measurements of past epochs, which can be reused while only stakes change (they change all the time): same
 * epochs, same validators.
 */
function reusablePast(
  { network, epoch, rewards, validators }: ChainSnapshot,
  history: History,
  present: NetworkView | undefined,
): NetworkView['byId'] | undefined {
  if (present?.history !== history) return undefined
  const { snapshot: before, byId } = present
  const isSame =
    before.network === network &&
    before.epoch.number === epoch.number &&
    before.epoch.durationMs === epoch.durationMs &&
    before.rewards.shape.kind === rewards.shape.kind &&
    byId.size === validators.length &&
    validators.every(({ id }) => byId.has(id))
  return isSame ? byId : undefined
}

function rememberApyPoints({ epoch }: ChainSnapshot, { byValidator }: History): NetworkView['apyPoints'] {
  const clock = { currentEpoch: epoch.number, epochDurationMs: epoch.durationMs }
  const known = new Map<string | undefined, readonly ApyPoint[]>()
  return (validatorId) => {
    const points =
      known.get(validatorId) ??
      (validatorId === undefined
        ? networkApyHistory(byValidator, clock)
        : apyHistory(byValidator.get(validatorId) ?? [], clock))
    known.set(validatorId, points)
    return points
  }
}

/** Property names are sorted: a snapshot from a node and one from the store may order them differently. */
function contentOf({ checkpoint: _, checkpointAt: __, ...content }: ChainSnapshot): string {
  return JSON.stringify(content, (_key, value) =>
    typeof value === 'bigint' ? `${value}` : withSortedNames(value),
  )
}

function withSortedNames(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compare(a, b)))
}
