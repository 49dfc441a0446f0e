import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { DeliveryResult, Mailer, MailUrgency, Outbox, QueuedMail } from '#ports/stores/outbox.ts'
import { DAY_MS } from '../../durations.ts'
import { isTooLate, nextAttemptAt } from './retry-plan.ts'

type Needs = {
  readonly outbox: Outbox
  readonly mailer: Mailer
  readonly clock: Clock
  /** A random number from 0 to 1. */
  readonly chance: () => number
  readonly pause: (ms: number) => Promise<unknown>
  readonly logger: Logger
}

/**
 * The time limit of a run: shorter than the lease of a mail, so that no other instance sends the same mail
 * meanwhile.
 */
export const DELIVERY_DEADLINE_MS = 30_000
const LEASE_MS = 2 * DELIVERY_DEADLINE_MS
/** Batch size, for each of the two queues. */
const MAILS_AT_ONCE = 10
/** Polling interval for urgent mails while other mails are being sent. */
const LOOK_EVERY_MS = 1_000
const REMEMBER_FINISHED_MS = 7 * DAY_MS

/**
 * Delivers all due mails and returns when none is left. Urgent mails are sent concurrently with the others.
 * At-least-once delivery: a mail is marked only after the server has accepted it, so a crash in between sends it
 * again, with the same content and identity.
 */
export function deliverMail({ outbox, mailer, clock, chance, pause, logger }: Needs) {
  async function attempt(queued: QueuedMail, deadline: AbortSignal): Promise<DeliveryResult> {
    const { id, createdAt, mail } = queued
    if (isTooLate(createdAt, clock.now())) throw new Error('it is too late to send it')
    if (!mail) throw new Error('the mail cannot be decrypted with the current secret')
    return mailer.send({ ...mail, id, createdAt }, deadline)
  }

  async function giveUp(queued: QueuedMail, reason: string): Promise<void> {
    await outbox.giveUp(queued)
    logger.warn('mail given up', { mail: queued.id, attempts: queued.attempts, reason })
  }

  async function postpone(queued: QueuedMail, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    const now = clock.now()
    const retryAt = nextAttemptAt(queued, now, chance())
    if (retryAt === undefined) return giveUp(queued, reason)
    await outbox.retry(queued, retryAt)
    logger.warn('mail postponed', {
      mail: queued.id,
      attempts: queued.attempts,
      reason,
      retryInMs: retryAt - now,
    })
  }

  async function deliver(queued: QueuedMail, deadline: AbortSignal): Promise<void> {
    let result: DeliveryResult
    try {
      result = await attempt(queued, deadline)
    } catch (error) {
      return postpone(queued, error)
    }
    if (result.kind === 'refused') return giveUp(queued, result.reason)
    await outbox.delivered(queued)
    const waitedMs = clock.now() - queued.createdAt
    logger.info('mail delivered', { mail: queued.id, attempts: queued.attempts, waitedMs })
  }

  async function deliverAll(kind: MailUrgency, deadline: AbortSignal): Promise<void> {
    while (!deadline.aborted) {
      const now = clock.now()
      const due = await outbox.claim(kind, now, now + LEASE_MS, MAILS_AT_ONCE)
      if (due.length === 0) return
      const results = await Promise.allSettled(due.map((queued) => deliver(queued, deadline)))
      const failure = results.find((result) => result.status === 'rejected')
      if (failure) throw failure.reason
      await outbox.forgetFinished(now - REMEMBER_FINISHED_MS)
    }
  }

  return async (deadline: AbortSignal): Promise<void> => {
    let areOthersDone = false
    const others = deliverAll('queued', deadline).finally(() => {
      areOthersDone = true
    })
    const urgent = async () => {
      await deliverAll('urgent', deadline)
      while (!areOthersDone) {
        await Promise.race([pause(LOOK_EVERY_MS), others])
        await deliverAll('urgent', deadline)
      }
    }
    await Promise.all([others, urgent()])
  }
}
