import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../../../fault.ts'
import type { Database } from '../../schema.ts'

const PEPPER = 'key-pepper'

/** A digest by which a store recognises its pepper. */
export const pepperDigest = (secrets: Pick<Secrets, 'digest'>) => ({
  name: PEPPER,
  value: secrets.digest('key', 'the pepper itself'),
})

/** Whether the store was begun by an earlier start, with a pepper. */
export async function isBegun(db: Database): Promise<boolean> {
  const note = db.selectFrom('seals').select('value').where('name', '=', PEPPER)
  return (await note.executeTakeFirst()) !== undefined
}

/** Records a digest of the first pepper and refuses any other, with which every key would be refused. */
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
