import { sql, type Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { MailCap, MailUrgency, Notice } from '#ports/stores/outbox.ts'
import { CLOCK_STEP_MS, DAY_MS } from '../../../durations.ts'
import { lockSection } from '../lock-order.ts'
import type { Schema } from '../schema.ts'

/** Queues a sealed mail, due at once. Returns its id. */
export async function queueMail(
  transaction: Transaction<Schema>,
  sealed: string,
  now: number,
  status: MailUrgency = 'queued',
): Promise<number> {
  const { id } = await transaction
    .insertInto('outbox')
    .values({ sealed, created_at: now, due_at: now, leased_until: null, attempts: 0, status })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Queues a mail unless a cap is reached. Then it is written and deleted again, so that the commit's duration
 * does not reveal whether the address was written to before.
 */
export async function queueCappedMail(
  transaction: Transaction<Schema>,
  sealed: string,
  caps: readonly MailCap[],
  now: number,
): Promise<boolean> {
  const mail = await queueMail(transaction, sealed, now)
  const isWithinCaps = await chargeMailCaps(transaction, caps)
  if (!isWithinCaps) await dropMail(transaction, mail)
  return isWithinCaps
}

/** Queues the mail unless a cap is reached; the last mail within a cap is `lastMail`, which says so. */
export async function queueNotice(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'seal'>,
  { mail, lastMail, mailCaps }: Notice,
  now: number,
): Promise<void> {
  let isLast = false
  for (const cap of mailCaps) {
    const left = await countMail(transaction, cap)
    if (left === undefined) return
    isLast ||= left === 0
  }
  await queueMail(transaction, secrets.seal(JSON.stringify(isLast ? lastMail : mail)), now)
}

/** Counts a mail under each cap, up to the first that is reached. */
export async function chargeMailCaps(
  transaction: Transaction<Schema>,
  caps: readonly MailCap[],
): Promise<boolean> {
  for (const cap of caps) if (!(await chargeMailCap(transaction, cap))) return false
  return true
}

/** Counts a mail unless the cap is reached. */
export async function chargeMailCap(transaction: Transaction<Schema>, cap: MailCap): Promise<boolean> {
  return (await countMail(transaction, cap)) !== undefined
}

export async function dropMail(transaction: Transaction<Schema>, id: number): Promise<void> {
  await transaction.deleteFrom('outbox').where('id', '=', id).execute()
}

/** The longest window of a cap; older counts are deleted. */
const LONGEST_CAP_MS = DAY_MS

/**
 * Counts a mail and returns how many more the cap allows; undefined: not even this one. After a small step
 * back of the clock, time continues from the newest count; counts further ahead were written while the clock
 * was wrong, and are deleted.
 */
async function countMail(transaction: Transaction<Schema>, cap: MailCap): Promise<number | undefined> {
  await lockSection(transaction, 'registrations')
  await transaction
    .deleteFrom('mail_counts')
    .where('at', '>', cap.now + CLOCK_STEP_MS)
    .execute()
  const newest = await transaction
    .selectFrom('mail_counts')
    .select((select) => select.fn.max('at').as('at'))
    .executeTakeFirst()
  const now = Math.max(cap.now, newest?.at ?? 0)
  await transaction
    .deleteFrom('mail_counts')
    .where('at', '<=', now - LONGEST_CAP_MS)
    .execute()
  const sent = await transaction
    .selectFrom('mail_counts')
    .select((select) => select.fn.sum<number>('mails').as('mails'))
    .where('key', '=', cap.key)
    .where('at', '>', now - (cap.now - cap.since))
    .executeTakeFirst()
  const left = cap.limit - Number(sent?.mails ?? 0)
  if (left <= 0) return undefined
  await transaction
    .insertInto('mail_counts')
    .values({ key: cap.key, at: now, mails: 1 })
    .onConflict((conflict) =>
      conflict.columns(['key', 'at']).doUpdateSet({ mails: sql`mail_counts.mails + 1` }),
    )
    .execute()
  return left - 1
}
