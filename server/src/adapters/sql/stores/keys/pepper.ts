import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../../../fault.ts'
import type { Database } from '../../schema.ts'

const PEPPER = 'key-pepper'

/** A digest by which a store recognises its pepper. */
export const pepperDigest = (secrets: Pick<Secrets, 'digest'>) => ({
  name: PEPPER,
  value: secrets.digest('key', 'the pepper itself'),
})

/** Whether an earlier start has recorded its pepper in the store. */
export const isBegun = async (db: Database): Promise<boolean> => (await storedDigest(db)) !== undefined

/** Compares with the pepper recorded in the store. Records nothing. */
export async function comparePepper(
  db: Database,
  secrets: Pick<Secrets, 'digest'>,
): Promise<'same' | 'other' | 'none'> {
  const stored = await storedDigest(db)
  if (stored === undefined) return 'none'
  return stored === pepperDigest(secrets).value ? 'same' : 'other'
}

/** Records a digest of the first pepper and refuses any other, with which every key would be refused. */
export async function checkPepper(db: Database, secrets: Pick<Secrets, 'digest'>): Promise<void> {
  await db
    .insertInto('seals')
    .values(pepperDigest(secrets))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  if ((await comparePepper(db, secrets)) === 'same') return
  throw new Fault(
    'store_not_ready',
    'The pepper differs from the one that this store was created with, so every key would be refused. Put the old one back: the variable KEY_PEPPER, or the file key-pepper in DATA_DIR.',
  )
}

async function storedDigest(db: Database): Promise<string | undefined> {
  const note = db.selectFrom('seals').select('value').where('name', '=', PEPPER)
  return (await note.executeTakeFirst())?.value
}
