import type { Secrets } from '#ports/secrets.ts'
import type { CodeTries, Familiarity, MailBudget } from '#ports/stores/users.ts'
import { canonicalAddress } from '../../basics/mailbox.ts'
import { mailCapOf } from '../mail/mail-cap.ts'

/** docs/decisions/0008 gives the reasons for these rules and the bound on guessing that follows from them. */
export type SignInRules = {
  readonly codeMs: number
  readonly longCodeMs: number
  readonly tries: CodeTries
  /** The limit of wrong second factors for each code: per network, and for all unfamiliar networks together. */
  readonly factorTries: number
  /** Code mails to one address in 24 hours, for requests from networks it has never signed in from. */
  readonly mailsPerDay: number
  /** Beyond `mailsPerDay`: the age of the newest unused code from which another one is mailed. Below `longCodeMs`. */
  readonly resendAfterMs: number
  /** Notices to one address in 24 hours. */
  readonly noticesPerDay: number
}

type Digests = Pick<Secrets, 'digest'>

export function digestAddress(secrets: Digests, owner: string): string {
  return secrets.digest('address', owner)
}

/** Hashed together with the address, so that the store does not reveal which users share a network. */
export function digestNetwork(secrets: Digests, owner: string, ip: string): string {
  return secrets.digest('address', `${owner} ${ip}`)
}

/**
 * Hashed together with its address, so that equal codes of two people have different digests. Case, hyphens and
 * spaces do not count: people type the long code.
 */
export function digestCode(secrets: Digests, owner: string, code: string): string {
  return secrets.digest('code', `${owner} ${code.toUpperCase().replaceAll(/[- ]/g, '')}`)
}

export const codeKind = (code: string): 'code' | 'long_code' => (code.length > 6 ? 'long_code' : 'code')

/**
 * The mail budgets of an address. Requests from unfamiliar networks share one budget. Requests from a familiar
 * network are bounded by the limits of that network instead; beyond those, the address still gets a mail if it has no
 * recent unused code. Unproven tagged spellings (`name+tag@`) of a mailbox share a separate budget, because tags are
 * unlimited.
 */
export function mailBudgetsOf(
  secrets: Digests,
  rules: SignInRules,
  owner: string,
  now: number,
): Readonly<Record<Familiarity, MailBudget>> {
  const { mailsPerDay, resendAfterMs } = rules
  const own = { cap: mailCapOf(secrets, 'code', owner, mailsPerDay, now), resendAfterMs }
  const mailbox = canonicalAddress(owner)
  const spellings = mailCapOf(secrets, 'code', `spellings of ${mailbox}`, mailsPerDay, now)
  return {
    // This cap never binds: with `resendAfterMs` 0 no unused code is young enough to stop a mail. It is charged so that
    // every request takes the same time, whoever asks.
    familiar: {
      cap: mailCapOf(secrets, 'code', `familiar ${owner}`, mailsPerDay, now),
      resendAfterMs: 0,
    },
    known: own,
    unknown: owner === mailbox ? own : { cap: spellings, resendAfterMs: undefined },
  }
}
