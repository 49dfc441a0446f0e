import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { nextRuleChange, startOfEpoch } from '../epoch-rules.ts'
import type { Warning } from './stake-warnings.ts'

/** Parameters are good for this long at most, and never past the next change of the epoch's rules … */
export const LIFETIME_MS = 600_000
/**
 * … unless the chain is late with it: then it may come at any moment. A minute is enough to show a transaction to a
 * person or a model, to sign it and to submit it; less is worth a warning.
 */
const ENOUGH_MS = 60_000

export type Expiry = {
  readonly expiresAt: number
  /** What is wrong with that moment, if anything. */
  readonly warnings: readonly Warning[]
}

/** How long what is built now may be signed. */
export function expiryOf(snapshot: ChainSnapshot, now: number): Expiry {
  const changesAt = nextRuleChange(snapshot)
  if (changesAt <= now) return { expiresAt: now + ENOUGH_MS, warnings: [] }
  const expiresAt = Math.min(now + LIFETIME_MS, changesAt)
  return { expiresAt, warnings: expiresAt - now < ENOUGH_MS ? [expiresSoon(snapshot, expiresAt, now)] : [] }
}

/** Until when the epochs of what is planned by the rules of `now` hold. */
export function plannedUntil({ epoch, network }: ChainSnapshot, now: number): number {
  const changesAt = nextRuleChange({ epoch, network })
  if (changesAt > now) return changesAt
  const endsAt = nextRuleChange({ epoch: { ...epoch, nextCommitteeSelected: true }, network })
  return endsAt > now ? endsAt : now + ENOUGH_MS
}

function expiresSoon(snapshot: ChainSnapshot, expiresAt: number, now: number): Warning {
  const next = snapshot.epoch.number + 1
  const [why, later] =
    expiresAt === startOfEpoch(snapshot, next)
      ? ['the epoch ends', `once epoch ${next} has begun`]
      : ['the next committee is selected', 'after that: what waits for an epoch then waits for one more']
  const at = `${new Date(expiresAt).toISOString()}, ${Math.floor((expiresAt - now) / 1_000)} s after it was built`
  const message = `It expires at ${at}, when ${why}. If that is too soon to sign and submit it, build it again ${later}.`
  return { rule: 'expires_soon', message }
}
