import { setTimeout } from 'node:timers/promises'
import { LIMITS } from '@stakewright/contract'
import { REFRESH_KEYS_MS } from '#adapters/jwt/user-tokens.ts'
import { anchorAudit } from '#domain/audit/anchor-audit.ts'
import { dropOldRecords } from '#domain/audit/drop-old-records.ts'
import { prepareAuditDays } from '#domain/audit/prepare-audit-days.ts'
import { signAudit } from '#domain/audit/sign-audit.ts'
import { deliverMail } from '#domain/mail/deliver-mail.ts'
import { watchReservations } from '#domain/policy/reservations/mark-executed.ts'
import { scheduleJobs } from '#jobs/schedule.ts'
import type { CallerLimits } from '../open-guard.ts'
import type { NetworkState } from './network-state.ts'
import type { Wired } from './wired.ts'

const pause = (ms: number) => setTimeout(ms, undefined, { ref: false })

/** The background jobs. */
export function listJobs({ config, runtime, parts }: Wired, state: NetworkState, { guard }: CallerLimits) {
  const { price, refreshNetwork, takeStoredNetwork, recordForecasts, chainEpoch, reservations } = state
  const { clock, logger, meters, random } = runtime
  const { outbox, mailer, userTokens, keyProofs, upkeep } = parts
  return scheduleJobs({
    refreshNetwork,
    takeStoredNetwork,
    recordForecasts,
    refreshNetworkMs: config.refreshMs,
    price,
    updateBreaker: guard.updateBreaker,
    deliverMail: deliverMail({ outbox, mailer, clock, chance: random, pause, logger }),
    refreshIssuerKeys: userTokens.refreshKeys,
    refreshIssuerKeysMs: REFRESH_KEYS_MS,
    prepareAuditDays: prepareAuditDays({ upkeep, clock }),
    forgetUnusedKeys: keyProofs.forgetUnused,
    indexAgents: upkeep.indexAgents,
    anchorAudit: anchorAudit({ upkeep, anchors: parts.anchors, clock, logger }),
    signAudit: signAudit({ upkeep, clock, logger }),
    dropOldRecords: dropOldRecords({
      upkeep,
      clock,
      logger,
      retentionDays: config.auditRetentionDays,
      approvalsKeptDays: LIMITS.approvalsKeptDays,
    }),
    watchReservations: watchReservations({ reservations, chain: parts.chain, chainEpoch, clock }),
    logger,
    meters,
  })
}
