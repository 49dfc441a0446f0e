import { performance } from 'node:perf_hooks'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Leases } from '#ports/stores/leases.ts'

/** Long enough for a slow store; short enough that another instance takes over within ten seconds. */
const LEASE_MS = 6_000
const RENEW_MS = 1_500
/** Long enough for every other instance to ask twice. */
const HAND_OVER_MS = 2 * RENEW_MS

type RenewedLease = AsyncDisposable & {
  /**
   * Whether this instance holds the lease now. The lease is counted from before the request, so it ends here before the
   * store gives it to another instance, also if the store does not answer.
   */
  isHeld(): boolean
  /** Releases the lease and does not ask again until every other instance could. */
  handOver(): Promise<void>
}

type Needs = {
  readonly leases: Leases
  readonly name: string
  readonly clock: Clock
  readonly logger: Logger
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** Acquires the lease as soon as it is free and renews it. Each answer also carries the store's time. */
export async function keepLease({
  leases,
  name,
  clock,
  logger,
  now = () => performance.now(),
}: Needs): Promise<RenewedLease> {
  let heldUntil = Number.NEGATIVE_INFINITY
  let notBefore = Number.NEGATIVE_INFINITY
  let isClosed = false
  let isReportedHeld = false
  let timer: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined
  let asking: Promise<void> | undefined
  const isHeld = () => now() < heldUntil

  function report(): void {
    if (isHeld() === isReportedHeld) return
    isReportedHeld = isHeld()
    logger.info(isReportedHeld ? 'lease taken' : 'lease lost', { lease: name })
  }

  /** Logs an expiry between two renewals. Plus one millisecond, because timers may fire up to one millisecond early. */
  function reportExpiry(): void {
    clearTimeout(expiry)
    expiry = setTimeout(report, Math.max(0, Math.ceil(heldUntil - now())) + 1)
    expiry.unref()
  }

  async function ask(): Promise<void> {
    if (now() < notBefore) return
    const askedAt = now()
    try {
      const answer = await leases.hold(name, LEASE_MS)
      clock.follow?.(answer.storeNow)
      heldUntil = answer.isHeld ? askedAt + LEASE_MS : Number.NEGATIVE_INFINITY
      if (answer.isHeld) reportExpiry()
    } catch (error) {
      logger.warn('the lease could not be taken or renewed', { lease: name, reason: String(error) })
    }
    report()
  }

  function plan(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      asking = ask().then(plan)
    }, RENEW_MS)
    timer.unref()
  }

  await ask()
  plan()
  return {
    isHeld,
    async handOver() {
      notBefore = now() + HAND_OVER_MS
      await asking
      heldUntil = Number.NEGATIVE_INFINITY
      isReportedHeld = false
      logger.info('lease handed over', { lease: name })
      await leases.release(name)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await asking
      clearTimeout(expiry)
      heldUntil = Number.NEGATIVE_INFINITY
      await leases.release(name).catch(() => {})
    },
  }
}
