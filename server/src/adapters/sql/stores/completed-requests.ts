import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { CompletedRequest, CompletedRequests } from '#ports/stores/completed-requests.ts'
import { Fault } from '../../../fault.ts'
import { skipLocked } from '../lock-order.ts'
import type { Database, Schema } from '../schema.ts'
import { type AnswerNeeds, openRequest, sealRequest } from './sealed-answers.ts'

/** Records the request in the transaction that carries it out, which a duplicate rolls back. */
export async function recordCompleted(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  completed: CompletedRequest,
): Promise<void> {
  const { digest, now, expiresAt, answer } = completed
  const expired = transaction.selectFrom('done_requests').select('digest').where('expires_at', '<=', now)
  await transaction
    .deleteFrom('done_requests')
    .where('digest', 'in', skipLocked(transaction, expired))
    .execute()
  const recorded = await transaction
    .insertInto('done_requests')
    .values({ digest, request_digest: sealRequest(secrets, completed), answer, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  if (!recorded) throw underWay()
}

export function underWay(): Fault {
  const message = 'The same request is being processed. Send it again to get its answer.'
  return new Fault('store_not_ready', message, { retryAfterSeconds: 1 })
}

export const sqlCompletedRequests = ({
  db,
  ...needs
}: AnswerNeeds & { readonly db: Database }): CompletedRequests => ({
  async find(digest, now) {
    const row = await db
      .selectFrom('done_requests')
      .select(['request_digest', 'answer'])
      .where('digest', '=', digest)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (!row) return undefined
    const { request_digest: request, answer } = row
    return { requestDigest: openRequest(needs, { digest, request, answer }), answer }
  },
})
