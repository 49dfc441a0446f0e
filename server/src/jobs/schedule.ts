import { DELIVERY_DEADLINE_MS } from '#domain/mail/deliver-mail.ts'
import { type CurrentPrice, PRICE_REFRESH_MS } from '#domain/network/price.ts'
import type { RefreshOutcome } from '#domain/network/refresh/refresh-network.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import { HOUR_MS } from '../durations.ts'
import type { Job } from './runner.ts'

type Needs = {
  /** Undefined: there is nothing newer. */
  readonly refreshNetwork: (deadline: AbortSignal) => Promise<RefreshOutcome | undefined>
  /** What other instances have read meanwhile; undefined where this one reads for itself. */
  readonly takeNetwork: (() => Promise<RefreshOutcome | undefined>) | undefined
  /** After a refresh: what is projected is put on record once per epoch. */
  readonly recordForecasts: () => Promise<void>
  readonly refreshNetworkMs: number
  readonly price: CurrentPrice
  readonly deliverMail: (deadline: AbortSignal) => Promise<void>
  readonly refreshIssuerKeys: () => Promise<void>
  readonly refreshIssuerKeysMs: number
  readonly forgetUnusedKeys: () => void
  readonly prepareAuditDays: () => Promise<void>
  readonly anchorAudit: () => Promise<void>
  readonly signAudit: (deadline: AbortSignal) => Promise<void>
  readonly dropOldRecords: (deadline: AbortSignal) => Promise<void>
  /** Looks which of the transactions that were built are on the chain. */
  readonly watchReservations: (deadline: AbortSignal) => Promise<void>
  readonly forgetBuilds: () => Promise<void>
  readonly logger: Logger
  readonly meters: Meters
}

const READ_DEADLINE_MS = 8_000
/** The first look at a real chain reads months of history, in many small calls with deadlines of their own. */
const NETWORK_DEADLINE_MS = 120_000
/** They look whether something is to be done, and stop in time: the next run goes on where they were. */
const UPKEEP_EVERY_MS = 60_000
const UPKEEP_DEADLINE_MS = 30_000

/** What was logged within this time may still be cut off without being missed. */
const ANCHOR_EVERY_MS = 5_000

/** A key leaves memory at most twice as long after its last use. */
const FORGET_KEYS_EVERY_MS = 30_000

/** Agents that go on building forget their own; these are of those that do not. */
const FORGET_BUILDS_EVERY_MS = HOUR_MS

/** One small row is asked for each time. */
const TAKE_EVERY_MS = 1_000

/** Keeps the data of the chain up to date. */
function networkJobs({ logger, meters, ...needs }: Needs): readonly Job[] {
  const { refreshNetwork, takeNetwork } = needs
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
  if (takeNetwork === undefined) return [watch]
  const take: Job = {
    name: 'take-network',
    everyMs: TAKE_EVERY_MS,
    deadlineMs: READ_DEADLINE_MS,
    run: async () => note(await takeNetwork()),
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
      // On every instance: each has a folder of its own.
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
    {
      name: 'forget-builds',
      isForLeader: true,
      everyMs: FORGET_BUILDS_EVERY_MS,
      deadlineMs: UPKEEP_DEADLINE_MS,
      run: needs.forgetBuilds,
    },
  ]
}
