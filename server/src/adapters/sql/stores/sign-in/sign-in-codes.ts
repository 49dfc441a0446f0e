import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type {
  CodeAttempt,
  CodeIssue,
  Familiarity,
  MailBudget,
  Redeemed,
  SignInCodes,
} from '#ports/stores/users.ts'
import { lockAddress, lockUser } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { chargeMailCap, dropMail, queueMail, queueNotice } from '../mail-queue.ts'
import { chargeLimits } from '../registration-limits.ts'
import { type RightCode, tryCode, tryLongCode, useUp } from './code-tries.ts'
import { type Enrolments, openEnrolments } from './enrolments.ts'
import { recordFactor, useFactor } from './factor-rows.ts'
import { countFactorTry, mayTry } from './factor-tries.ts'
import { familiarityOf, isNewNetwork } from './proven-networks.ts'
import { insertSession } from './sessions.ts'

type Needs = { readonly db: Database; readonly secrets: Pick<Secrets, 'seal' | 'open' | 'digest'> }

/** Each method is one transaction. Expired codes are refused; upkeep deletes them. */
export function sqlSignInCodes({ db, secrets }: Needs): SignInCodes {
  const enrolments = openEnrolments(secrets)
  const needs = { secrets, enrolments }
  return {
    issue: (issue) => {
      const sealed = secrets.seal(JSON.stringify(issue.mail))
      return db.transaction().execute(async (transaction) => {
        const reached = await chargeLimits(transaction, issue.limits)
        const familiarity = await familiarityOf(transaction, issue)
        // The mail is written before the decision, so that the commit's duration does not reveal the
        // decision. Codes of known addresses do not queue behind mails that strangers cause.
        const urgency = familiarity === 'unknown' ? 'queued' : 'urgent'
        const mail = await queueMail(transaction, sealed, issue.now, urgency)
        const isAllowed = reached
          ? await isAllowedBeyond(transaction, familiarity, issue)
          : await chargeMail(transaction, familiarity, issue)
        await insertCode(transaction, issue)
        if (!isAllowed) await takeBack(transaction, mail, issue)
        return reached ? { kind: 'limited', retryAt: reached.retryAt } : { kind: 'issued' }
      })
    },
    redeem: async (attempt, begins) => {
      // For every address: only some may be those of admins.
      await enrolments.readAhead(db)
      return db.transaction().execute(async (transaction): Promise<Redeemed> => {
        await lockAddress(transaction, attempt.addressDigest)
        const isNew = await isNewNetwork(transaction, attempt)
        const right = await (attempt.kind === 'code' ? tryCode : tryLongCode)(transaction, attempt)
        if (!right) return 'wrong'
        await lockUser(transaction, begins.session.userId)
        const factor = await proveFactor(transaction, needs, attempt, right)
        if (factor === 'missing' || factor === 'wrong') return `factor_${factor}`
        if (isNew) await queueNotice(transaction, secrets, attempt.newNetworkNotice, attempt.now)
        await insertSession(transaction, secrets, begins)
        await useUp(transaction, right, attempt)
        return factor === 'right' ? 'right_with_factor' : 'right'
      })
    },
  }
}

/** Checks the second factor sent with a right code. Wrong ones are counted per mailed code and network. */
async function proveFactor(
  transaction: Transaction<Schema>,
  { secrets, enrolments }: Pick<Needs, 'secrets'> & { readonly enrolments: Enrolments },
  { factor, networkDigest }: CodeAttempt,
  { longDigest, isStranger, expiresAt }: RightCode,
): Promise<'right' | 'wrong' | 'missing' | 'not_enrolled'> {
  if (!factor || !(await enrolments.isEnrolled(transaction, factor.userId))) return 'not_enrolled'
  const { userId, proof, tries, recovered, refused } = factor
  if (!proof) return 'missing'
  const attempt = { subject: longDigest, networkDigest, isStranger, expiresAt }
  if (!(await mayTry(transaction, attempt, tries))) return 'wrong'
  if (await useFactor(transaction, secrets, userId, proof)) {
    const { recoveryDigest: recoveryCode } = proof
    if (recoveryCode !== undefined)
      await recordFactor(transaction, secrets, userId, recovered, { recoveryCode })
    return 'right'
  }
  await countFactorTry(transaction, attempt)
  await recordFactor(transaction, secrets, userId, refused)
  return 'wrong'
}

async function chargeMail(
  transaction: Transaction<Schema>,
  familiarity: Familiarity,
  issue: CodeIssue,
): Promise<boolean> {
  const isWithinDay = await chargeUnknown(transaction, familiarity, issue)
  const isWithinBudget = await chargeBudget(transaction, issue.budgets[familiarity], issue)
  return isWithinDay && isWithinBudget
}

/**
 * For a network that has reached its limits, perhaps by the requests of others: an address proven from it still gets a
 * code if it has no recent unused one. The answer is the same for all.
 */
async function isAllowedBeyond(
  transaction: Transaction<Schema>,
  familiarity: Familiarity,
  issue: CodeIssue,
): Promise<boolean> {
  const hasCode = await hasUnused(transaction, issue, issue.budgets.known.resendAfterMs)
  return familiarity === 'familiar' && !hasCode
}

/** Proven addresses are counted too, under a key without a limit, so that both take the same time. */
async function chargeUnknown(
  transaction: Transaction<Schema>,
  familiarity: Familiarity,
  { unknownLimit }: CodeIssue,
): Promise<boolean> {
  const known = { ...unknownLimit, key: `${unknownLimit.key}known`, limit: Number.MAX_SAFE_INTEGER }
  const reached = await chargeLimits(transaction, [familiarity === 'unknown' ? unknownLimit : known])
  return reached === undefined
}

async function chargeBudget(
  transaction: Transaction<Schema>,
  { cap, resendAfterMs }: MailBudget,
  issue: CodeIssue,
): Promise<boolean> {
  const isWithinCap = await chargeMailCap(transaction, cap)
  const hasCode = await hasUnused(transaction, issue, resendAfterMs)
  return isWithinCap || (resendAfterMs !== undefined && !hasCode)
}

/** Whether the address has an unused code that is younger than this. */
async function hasUnused(
  transaction: Transaction<Schema>,
  { addressDigest, now }: CodeIssue,
  youngerThanMs = 0,
): Promise<boolean> {
  const unused = await transaction
    .selectFrom('mailed_codes')
    .select('issued_at')
    .where('address_digest', '=', addressDigest)
    .where('issued_at', '>', now - youngerThanMs)
    .where('issued_at', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return unused !== undefined
}

async function insertCode(
  transaction: Transaction<Schema>,
  { addressDigest, networkDigest, code, longCode, now }: CodeIssue,
): Promise<void> {
  await transaction
    .insertInto('mailed_codes')
    .values({
      long_digest: longCode.digest,
      address_digest: addressDigest,
      code_digest: code.digest,
      network_digest: networkDigest,
      issued_at: now,
      code_expires_at: code.expiresAt,
      expires_at: longCode.expiresAt,
      tries_by_strangers: 0,
    })
    .execute()
}

/** Deletes the mail and the code that was to be sent with it. */
async function takeBack(
  transaction: Transaction<Schema>,
  mail: number,
  { longCode }: CodeIssue,
): Promise<void> {
  await dropMail(transaction, mail)
  await transaction.deleteFrom('mailed_codes').where('long_digest', '=', longCode.digest).execute()
}
