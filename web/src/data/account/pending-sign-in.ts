import { LIMITS } from '@stakewright/contract/limits'

/** The address that a code was sent to, as long as the code works: whoever comes back from the mailbox goes on there. */
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
    // Without storage a reload begins anew.
  }
}

export function dropPending(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Then nothing was kept.
  }
}
