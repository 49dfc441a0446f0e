import { DELIVERY_DEADLINE_MS } from '#domain/mail/deliver-mail.ts'
import { type CurrentPrice, PRICE_REFRESH_MS } from '#domain/network/price.ts'
import type { RefreshOutcome } from '#domain/network/refresh/refresh-network.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { Job } from './runner.ts'

type Needs = {
  /** Resolves with undefined if the chain has nothing newer. */
  readonly refreshNetwork: (deadline: AbortSignal) => Promise<RefreshOutcome | undefined>
  /** Takes over the snapshot that another instance has stored; undefined: this instance reads for itself. */
  readonly takeStoredNetwork: (() => Promise<RefreshOutcome | undefined>) | undefined
  /** Called after each refresh; stores the projections once per epoch. */
  readonly recordForecasts: () => Promise<void>
  readonly refreshNetworkMs: number
  readonly price: CurrentPrice
  readonly updateBreaker: () => Promise<void>
  readonly deliverMail: (deadline: AbortSignal) => Promise<void>
  readonly refreshIssuerKeys: () => Promise<void>
  readonly refreshIssuerKeysMs: number
  readonly forgetUnusedKeys: () => void
  readonly prepareAuditDays: () => Promise<void>
  readonly indexAgents: (deadline: AbortSignal) => Promise<void>
  readonly anchorAudit: () => Promise<void>
  readonly signAudit: (deadline: AbortSignal) => Promise<void>
  readonly dropOldRecords: (deadline: AbortSignal) => Promise<void>
  /** Checks which built transactions have been executed on the chain. */
  readonly watchReservations: (deadline: AbortSignal) => Promise<void>
  readonly logger: Logger
  readonly meters: Meters
}

const READ_DEADLINE_MS = 8_000
/**
 * Long, because the first refresh of a real chain reads months of history in many calls, each with its own deadline.
 */
const NETWORK_DEADLINE_MS = 120_000
/** Upkeep jobs do a bounded part of the work; the next run continues. */
const UPKEEP_EVERY_MS = 60_000
const UPKEEP_DEADLINE_MS = 30_000

/** Entries since the last anchor could be cut off unnoticed; the interval bounds their age. */
const ANCHOR_EVERY_MS = 5_000

/** An unused key leaves the cache after at most twice this time. */
const FORGET_KEYS_EVERY_MS = 30_000

/** Bounds the delay with which an open breaker closes. */
const JUDGE_LOAD_EVERY_MS = 1_000

/** Each poll reads one small row. */
const TAKE_EVERY_MS = 1_000

/** Jobs that keep the chain's data up to date. */
function networkJobs({ logger, meters, ...needs }: Needs): readonly Job[] {
  const { refreshNetwork, takeStoredNetwork } = needs
  async function note(outcome: RefreshOutcome | undefined): Promise<void> {
    if (outcome === undefined) return
    if (outcome.kind === 'refused') {
      logger.warn('snapshot refused', { reason: outcome.reason })
      meters.snapshotRefused()
      return
    }
    if (!outcome.historyComplete) logger.warn('history incomplete', { epoch: outcome.epoch })
    meters.snapshotAccepted(outcome.epoch, outcome.checkpointAt)
    await needs.recordForecasts()
  }
  const watch: Job = {
    name: 'watch-network',
    everyMs: needs.refreshNetworkMs,
    deadlineMs: NETWORK_DEADLINE_MS,
    run: async (deadline) => note(await refreshNetwork(deadline)),
  }
  if (takeStoredNetwork === undefined) return [watch]
  const take: Job = {
    name: 'take-network',
    everyMs: TAKE_EVERY_MS,
    deadlineMs: READ_DEADLINE_MS,
    run: async () => note(await takeStoredNetwork()),
  }
  return [watch, take]
}

/** Every job of the service, in one list. */
export function scheduleJobs(needs: Needs): readonly Job[] {
  const { price, deliverMail, refreshIssuerKeys } = needs
  return [
    ...networkJobs(needs),
    {
      name: 'watch-price',
      everyMs: PRICE_REFRESH_MS,
      deadlineMs: READ_DEADLINE_MS,
      run: (deadline) => price.refresh(deadline),
    },
    {
      name: 'watch-reservations',
      isForLeader: true,
      everyMs: needs.refreshNetworkMs,
      deadlineMs: READ_DEADLINE_MS,
      run: needs.watchReservations,
    },
    {
      name: 'deliver-mail',
      isForLeader: true,
      everyMs: 1_000,
      deadlineMs: DELIVERY_DEADLINE_MS,
      run: deliverMail,
    },
    {
      // Runs on every instance, because each has a breaker.
      name: 'update-breaker',
      everyMs: JUDGE_LOAD_EVERY_MS,
      deadlineMs: READ_DEADLINE_MS,
      run: needs.updateBreaker,
    },
    {
      name: 'refresh-issuer-keys',
      everyMs: needs.refreshIssuerKeysMs,
      deadlineMs: READ_DEADLINE_MS,
      run: refreshIssuerKeys,
    },
    {
      name: 'forget-unused-keys',
      everyMs: FORGET_KEYS_EVERY_MS,
      deadlineMs: READ_DEADLINE_MS,
      run: async () => needs.forgetUnusedKeys(),
    },
    {
      name: 'prepare-audit-days',
      everyMs: UPKEEP_EVERY_MS,
      deadlineMs: UPKEEP_DEADLINE_MS,
      run: needs.prepareAuditDays,
    },
    {
      // Instances index their own chains in groups. This job indexes the rest, also of instances that have ended.
      name: 'index-audit',
      isForLeader: true,
      everyMs: UPKEEP_EVERY_MS,
      deadlineMs: UPKEEP_DEADLINE_MS,
      run: needs.indexAgents,
    },
    {
      // Runs on every instance, because each has its own data folder.
      name: 'anchor-audit',
      everyMs: ANCHOR_EVERY_MS,
      deadlineMs: READ_DEADLINE_MS,
      run: needs.anchorAudit,
    },
    {
      name: 'sign-audit',
      isForLeader: true,
      everyMs: UPKEEP_EVERY_MS,
      deadlineMs: UPKEEP_DEADLINE_MS,
      run: needs.signAudit,
    },
    {
      name: 'drop-old-records',
      isForLeader: true,
      everyMs: UPKEEP_EVERY_MS,
      deadlineMs: UPKEEP_DEADLINE_MS,
      run: needs.dropOldRecords,
    },
  ]
}
