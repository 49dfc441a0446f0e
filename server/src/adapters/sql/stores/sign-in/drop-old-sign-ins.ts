import type { Database } from '../../schema.ts'
import { FAMILIAR_MS } from './proven-networks.ts'

const STEP_ROWS = 1_000

/**
 * Deletes some links and codes that expired before this moment, and networks no longer familiar by then.
 * Readers check the times as well, so nothing depends on when this runs.
 */
export function dropOldSignIns(db: Database, before: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const codes = transaction
      .selectFrom('mailed_codes')
      .select('long_digest')
      .where('expires_at', '<', before)
      .orderBy('long_digest')
      .limit(STEP_ROWS)
    const links = transaction
      .selectFrom('verifications')
      .select('token_digest')
      .where('expires_at', '<', before)
      .limit(STEP_ROWS)
    await transaction.deleteFrom('code_tries').where('long_digest', 'in', codes).execute()
    const steps = [
      transaction.deleteFrom('mailed_codes').where('long_digest', 'in', codes),
      transaction.deleteFrom('verifications').where('token_digest', 'in', links),
      transaction.deleteFrom('factor_tries').where('expires_at', '<', before),
      transaction.deleteFrom('proven_networks').where('proven_at', '<=', before - FAMILIAR_MS),
    ]
    let dropped = 0
    for (const step of steps) dropped += Number((await step.executeTakeFirst()).numDeletedRows)
    return dropped
  })
}
