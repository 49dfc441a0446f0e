import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Outbox } from '#ports/stores/outbox.ts'
import type { NewSession } from '#ports/stores/sessions.ts'
import type { CodeAttempt, CodeIssue, SignInCodes } from '#ports/stores/users.ts'
import { claimAll, NOW } from './sample-codes.ts'

export type OpenedCodes = AsyncDisposable & { readonly outbox: Outbox; readonly codes: SignInCodes }

export const TRIES = { perNetwork: 5, byStrangers: 5 }
/** Never mailed: its cap is 0. */
const NO_MAIL = { to: 'nobody@example.com', subject: '', text: '', html: '' }
const NO_NOTICE = {
  mail: NO_MAIL,
  lastMail: NO_MAIL,
  mailCaps: [{ key: 'notice', limit: 0, since: 0, now: NOW }],
}
export const ADA = 'ada@example.com'
export const ISSUED = { kind: 'issued' }
export const codeOf = (digest: string) => ({ digest, expiresAt: NOW + 600_000 })

function newSession(): NewSession {
  const id = randomUUID()
  const actor = { kind: 'user', id: ADA, role: 'user' } as const
  const record = { action: 'sign-in', at: NOW, actor, truncatedAddress: '', via: 'rest' } as const
  const times = { createdAt: NOW, expiresAt: NOW + 1 }
  return {
    session: { id, userId: ADA, issuedBy: 'sign-in', truncatedAddress: '', ...times },
    record,
    most: 9,
  }
}

/** A store that has issued these codes. `redeem` tries a code for Ada. */
export async function openCodes(open: () => Promise<OpenedCodes>, issues: readonly CodeIssue[]) {
  const store = await open()
  for (const issue of issues) assert.deepEqual(await store.codes.issue(issue), ISSUED)
  const redeem = async (digest: string, change: Partial<CodeAttempt> = {}) =>
    (await store.codes.redeem(
      {
        kind: 'code',
        digest,
        addressDigest: `address of ${ADA}`,
        networkDigest: 'home',
        now: NOW,
        tries: TRIES,
        newNetworkNotice: NO_NOTICE,
        ...change,
      },
      newSession(),
    )) === 'right'
  const mails = async () => (await claimAll(store.outbox, NOW * 2)).length
  return { ...store, redeem, mails, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
