import { DAY_MS, HOUR_MS } from '../../durations.ts'

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = HOUR_MS

/** After this time a link or a code in the mail is useless. */
const GIVE_UP_AFTER_MS = DAY_MS

/**
 * A clock that jumps ahead must not lose a mail: before a mail is given up as too late, at least this many attempts
 * are made over half a day, so that it is still sent if the clock is corrected. `MAX_ATTEMPTS` is twice the number
 * that fits into a day, and ends the retries independently of the clock.
 */
const LEAST_ATTEMPTS = 20
const MAX_ATTEMPTS = 100

/** Whether a mail that was queued at `createdAt` has become useless. */
export function isTooLate(createdAt: number, now: number): boolean {
  return now >= createdAt + GIVE_UP_AFTER_MS
}

/**
 * The time of the next attempt: exponential backoff up to an hour, reduced by up to a half by `chance` (0 to 1) as
 * jitter, so that mails which failed together are not retried together. Undefined: no further attempt.
 */
export function nextAttemptAt(
  mail: { readonly createdAt: number; readonly attempts: number },
  now: number,
  chance: number,
): number | undefined {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (mail.attempts - 1))
  const at = now + Math.ceil(delay * (1 - chance / 2))
  const isOver = isTooLate(mail.createdAt, at) && mail.attempts >= LEAST_ATTEMPTS
  return isOver || mail.attempts >= MAX_ATTEMPTS ? undefined : at
}
