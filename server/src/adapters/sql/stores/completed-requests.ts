import type { Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { CompletedRequest, CompletedRequests } from '#ports/stores/completed-requests.ts'
import { Fault } from '../../../fault.ts'
import type { Database, Schema } from '../schema.ts'
import { type AnswerNeeds, openRequest, sealRequest } from './sealed-answers.ts'

/** Records the request in the transaction that carries it out, which a duplicate rolls back. An expired one is replaced. */
export async function recordCompleted(
  transaction: Transaction<Schema>,
  secrets: Pick<Secrets, 'digest'>,
  completed: CompletedRequest,
): Promise<void> {
  const { digest, now, expiresAt, answer } = completed
  const row = { request_digest: sealRequest(secrets, completed), answer, expires_at: expiresAt }
  const recorded = await transaction
    .insertInto('done_requests')
    .values({ digest, ...row })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet(row).where('done_requests.expires_at', '<=', now),
    )
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
