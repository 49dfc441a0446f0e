import { LIMITS } from '@stakewright/contract/limits'

/**
 * The address that a code was sent to, stored while the code is valid, so that a reload does not restart the
 * sign-in.
 */
const KEY = 'stakewright.sign-in'

export function readPending(now: number): string | undefined {
  try {
    const { email, until }: { email?: unknown; until?: unknown } = JSON.parse(
      sessionStorage.getItem(KEY) ?? '{}',
    )
    return typeof email === 'string' && typeof until === 'number' && now < until ? email : undefined
  } catch {
    return undefined
  }
}

export function keepPending(email: string, now: number): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ email, until: now + LIMITS.codeMs }))
  } catch {
    // Without storage a reload restarts the sign-in.
  }
}

export function dropPending(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without storage nothing was stored.
  }
}
