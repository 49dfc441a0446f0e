import { StakewrightError } from './error.ts'

type Checked = {
  readonly timeoutMs?: number | undefined
  readonly retries?: number | undefined
  readonly maxRetryWaitMs?: number | undefined
  readonly idempotencyKey?: string | undefined
}

/** Timers with a longer delay fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Refuses options that could only fail, because timers and `fetch` would not say what to pass. */
export function checkOptions({ timeoutMs, retries, maxRetryWaitMs, idempotencyKey }: Checked): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_DELAY_MS))
    refuse('timeoutMs', `milliseconds, more than 0 and at most ${MAX_DELAY_MS}`)
  if (maxRetryWaitMs !== undefined && !(maxRetryWaitMs >= 0 && maxRetryWaitMs <= MAX_DELAY_MS))
    refuse('maxRetryWaitMs', `milliseconds, from 0 to ${MAX_DELAY_MS}`)
  if (retries !== undefined && !(retries >= 0)) refuse('retries', 'a number from 0 on')
  if (idempotencyKey !== undefined && !/^[!-~]{1,64}$/.test(idempotencyKey))
    refuse('idempotencyKey', '1 to 64 visible ASCII characters')
}

/** Refuses an argument before anything is sent. */
export function refuse(name: string, what: string): never {
  const fix = `Pass ${what} as ${name}.`
  throw new StakewrightError('invalid_input', `Nothing was sent: ${name} must be ${what}.`, { fix })
}
