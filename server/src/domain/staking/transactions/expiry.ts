import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { nextRuleChange, startOfEpoch } from '../epoch-rules.ts'
import type { Warning } from './stake-warnings.ts'

/** The longest validity of parameters, which never extends past the next change of the epoch's rules … */
export const LIFETIME_MS = 600_000
/**
 * … unless the chain is late with that change. Then it may come at any moment, and parameters are valid for a minute:
 * enough to review, sign and submit a transaction. Anything shorter gets a warning.
 */
const ENOUGH_MS = 60_000

type Expiry = {
  readonly expiresAt: number
  /** A warning if the transaction expires soon. */
  readonly warnings: readonly Warning[]
}

/** The expiry of parameters built now; `allowedUntil` is the time at which the agent's policy stops allowing them. */
export function expiryOf(snapshot: ChainSnapshot, now: number, allowedUntil: number): Expiry {
  const changesAt = nextRuleChange(snapshot)
  const isLate = changesAt <= now
  const expiresAt = Math.min(isLate ? now + ENOUGH_MS : Math.min(now + LIFETIME_MS, changesAt), allowedUntil)
  if (expiresAt - now >= ENOUGH_MS) return { expiresAt, warnings: [] }
  const reason = expiresAt === allowedUntil ? BY_POLICY : reasonOf(snapshot, expiresAt)
  return { expiresAt, warnings: [expiresSoon(reason, expiresAt, now)] }
}

/** The time until which the epochs of a plan made by the rules of `now` are right. */
export function plannedUntil({ epoch, network }: ChainSnapshot, now: number): number {
  const changesAt = nextRuleChange({ epoch, network })
  if (changesAt > now) return changesAt
  const endsAt = nextRuleChange({ epoch: { ...epoch, nextCommitteeSelected: true }, network })
  return endsAt > now ? endsAt : now + ENOUGH_MS
}

type Reason = { readonly why: string; readonly later: string }

const BY_POLICY: Reason = {
  why: 'the policy of this agent stops allowing it (`hours` or `expires`)',
  later: 'once the policy allows it again',
}

function reasonOf(snapshot: ChainSnapshot, expiresAt: number): Reason {
  const next = snapshot.epoch.number + 1
  return expiresAt === startOfEpoch(snapshot, next)
    ? { why: 'the epoch ends', later: `once epoch ${next} has begun` }
    : {
        why: 'the next committee is selected',
        later: 'after that: what waits for an epoch then waits for one more',
      }
}

function expiresSoon({ why, later }: Reason, expiresAt: number, now: number): Warning {
  const at = `${new Date(expiresAt).toISOString()}, ${Math.max(0, Math.floor((expiresAt - now) / 1_000))} s after it was built`
  const message = `It expires at ${at}, when ${why}. If that is too soon to sign and submit it, build it again ${later}.`
  return { rule: 'expires_soon', message }
}
