import type { Transaction } from 'kysely'
import type { CodeIssue, Familiarity } from '#ports/stores/users.ts'
import { DAY_MS } from '../../../../durations.ts'
import type { Schema } from '../../schema.ts'
import { isProvenAgent } from '../keys/proven-agent.ts'

/** How long a network stays familiar after the address was last proven from it. */
export const FAMILIAR_MS = 90 * DAY_MS

type ProvenFrom = {
  readonly addressDigest: string
  readonly networkDigest: string
  readonly now: number
}

export async function isProvenNetwork(
  transaction: Transaction<Schema>,
  { addressDigest, networkDigest, now }: ProvenFrom,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('proven_networks')
    .select('proven_at')
    .where('address_digest', '=', addressDigest)
    .where('network_digest', '=', networkDigest)
    .where('proven_at', '>', now - FAMILIAR_MS)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the address was proven before, but from other networks only. */
export async function isNewNetwork(transaction: Transaction<Schema>, from: ProvenFrom): Promise<boolean> {
  if (await isProvenNetwork(transaction, from)) return false
  const elsewhere = await transaction
    .selectFrom('proven_networks')
    .select('proven_at')
    .where('address_digest', '=', from.addressDigest)
    .where('proven_at', '>', from.now - FAMILIAR_MS)
    .limit(1)
    .executeTakeFirst()
  return elsewhere !== undefined
}

/** Always runs all queries, so that timing does not reveal which addresses are known. */
export async function familiarityOf(
  transaction: Transaction<Schema>,
  issue: CodeIssue,
): Promise<Familiarity> {
  const isFamiliar = await isProvenNetwork(transaction, issue)
  const proven = await transaction
    .selectFrom('proven_networks')
    .select('proven_at')
    .where('address_digest', '=', issue.addressDigest)
    .where('proven_at', '>', issue.now - FAMILIAR_MS)
    .limit(1)
    .executeTakeFirst()
  const agent = await transaction
    .selectFrom('agents')
    .select('no')
    .where('owner', '=', issue.owner)
    .where(isProvenAgent)
    .limit(1)
    .executeTakeFirst()
  if (isFamiliar) return 'familiar'
  return proven || agent || issue.isAdmin ? 'known' : 'unknown'
}

export async function rememberNetwork(
  transaction: Transaction<Schema>,
  { addressDigest, networkDigest, now }: ProvenFrom,
): Promise<void> {
  await transaction
    .insertInto('proven_networks')
    .values({ address_digest: addressDigest, network_digest: networkDigest, proven_at: now })
    .onConflict((conflict) =>
      conflict.columns(['address_digest', 'network_digest']).doUpdateSet({ proven_at: now }),
    )
    .execute()
}
