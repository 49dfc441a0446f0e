import { type Selectable, sql, type Transaction } from 'kysely'
import type { CodeAttempt } from '#ports/stores/users.ts'
import type { Schema } from '../../schema.ts'
import { isProvenNetwork, rememberNetwork } from './proven-networks.ts'

type MailedCode = Pick<
  Selectable<Schema['mailed_codes']>,
  'long_digest' | 'code_digest' | 'network_digest' | 'tries_by_strangers' | 'expires_at'
> & { readonly tries: number | null }

/** The mailed code that matched. `isStranger`: the network neither requested it nor is familiar. */
export type RightCode = {
  readonly longDigest: string
  readonly isStranger: boolean
  readonly expiresAt: number
}

/** Tries all short codes of the address for which this network has tries left. */
export async function tryCode(
  transaction: Transaction<Schema>,
  attempt: CodeAttempt,
): Promise<RightCode | undefined> {
  const isFamiliar = await isProvenNetwork(transaction, attempt)
  const isStranger = ({ network_digest }: MailedCode) =>
    !isFamiliar && network_digest !== attempt.networkDigest
  const codes = (await readCodes(transaction, attempt)).filter(
    (code) =>
      (code.tries ?? 0) < attempt.tries.perNetwork &&
      (!isStranger(code) || code.tries_by_strangers < attempt.tries.byStrangers),
  )
  for (const code of codes) await countTry(transaction, code, attempt, isStranger(code))
  const right = codes.find(({ code_digest }) => code_digest === attempt.digest)
  return right && toRightCode(right, isStranger(right))
}

/** A long code cannot be guessed, so tries are not counted. */
export async function tryLongCode(
  transaction: Transaction<Schema>,
  attempt: CodeAttempt,
): Promise<RightCode | undefined> {
  const right = await transaction
    .selectFrom('mailed_codes')
    .select(['long_digest', 'network_digest', 'expires_at'])
    .where('long_digest', '=', attempt.digest)
    .where('address_digest', '=', attempt.addressDigest)
    .where('expires_at', '>', attempt.now)
    .executeTakeFirst()
  if (!right) return undefined
  const isFamiliar = await isProvenNetwork(transaction, attempt)
  return toRightCode(right, !isFamiliar && right.network_digest !== attempt.networkDigest)
}

const toRightCode = (
  { long_digest, expires_at }: Pick<Selectable<Schema['mailed_codes']>, 'long_digest' | 'expires_at'>,
  isStranger: boolean,
): RightCode => ({ longDigest: long_digest, isStranger, expiresAt: expires_at })

function readCodes(
  transaction: Transaction<Schema>,
  { addressDigest, networkDigest, now }: CodeAttempt,
): Promise<readonly MailedCode[]> {
  return transaction
    .selectFrom('mailed_codes')
    .leftJoin('code_tries', (join) =>
      join
        .onRef('code_tries.long_digest', '=', 'mailed_codes.long_digest')
        .on('code_tries.network_digest', '=', networkDigest),
    )
    .select([
      'mailed_codes.long_digest',
      'mailed_codes.code_digest',
      'mailed_codes.network_digest',
      'mailed_codes.tries_by_strangers',
      'mailed_codes.expires_at',
      'code_tries.tries',
    ])
    .where('mailed_codes.address_digest', '=', addressDigest)
    .where('mailed_codes.code_expires_at', '>', now)
    .execute()
}

async function countTry(
  transaction: Transaction<Schema>,
  { long_digest }: MailedCode,
  { networkDigest }: CodeAttempt,
  isStranger: boolean,
): Promise<void> {
  await transaction
    .insertInto('code_tries')
    .values({ long_digest, network_digest: networkDigest, tries: 1 })
    .onConflict((conflict) =>
      conflict.columns(['long_digest', 'network_digest']).doUpdateSet({ tries: sql`code_tries.tries + 1` }),
    )
    .execute()
  if (!isStranger) return
  await transaction
    .updateTable('mailed_codes')
    .set((row) => ({ tries_by_strangers: row('tries_by_strangers', '+', 1) }))
    .where('long_digest', '=', long_digest)
    .execute()
}

/** Using one code of a mail consumes both. */
export async function useUp(
  transaction: Transaction<Schema>,
  { longDigest }: RightCode,
  attempt: CodeAttempt,
): Promise<void> {
  await transaction.deleteFrom('code_tries').where('long_digest', '=', longDigest).execute()
  await transaction.deleteFrom('mailed_codes').where('long_digest', '=', longDigest).execute()
  await rememberNetwork(transaction, attempt)
}
