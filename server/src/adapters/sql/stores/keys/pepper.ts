import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../../../fault.ts'
import type { Database } from '../../schema.ts'

/** What a store keeps of the pepper it was begun with. */
export const pepperDigest = (secrets: Pick<Secrets, 'digest'>) => ({
  name: 'key-pepper',
  value: secrets.digest('key', 'the pepper itself'),
})

/**
 * Remembers which pepper the store was begun with, by a digest made with it, and refuses any other: with a wrong one
 * every key would be refused, and nobody would be told why.
 */
export async function checkPepper(db: Database, secrets: Pick<Secrets, 'digest'>): Promise<void> {
  const row = pepperDigest(secrets)
  await db
    .insertInto('seals')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const kept = await db.selectFrom('seals').select('value').where('name', '=', row.name).executeTakeFirst()
  if (kept?.value === row.value) return
  throw new Fault(
    'store_not_ready',
    'The pepper is not the one this store was begun with, so every key would be refused. Put the old one back: the variable KEY_PEPPER, or the file key-pepper in DATA_DIR.',
  )
}
