import { fromBase64Url } from './canonical.ts'
import { isSigned } from './ed25519.ts'
import { PINS, type PinTable } from './networks.ts'
import { checkTable, digestOfTable } from './pin-digest.ts'
import { BadTable } from './refusal.ts'

const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** The signed text of a table, with a prefix for domain separation. */
export const signedTextOfTable = async (table: PinTable): Promise<string> =>
  `stakewright pins ${await digestOfTable(table)}`

/**
 * Throws `BadTable` unless the table is signed by this Ed25519 public key (base64url). A table older than the
 * built-in one is refused, too: it may pin packages that were dropped.
 */
export async function checkSignedTable(table: PinTable, key: string): Promise<void> {
  const publicKey = fromBase64Url(key, PUBLIC_KEY_BYTES)
  if (publicKey === undefined) throw new BadTable('the key must be 32 bytes as base64url')
  await checkTable(table)
  if (table.signature === undefined) throw new BadTable('unsigned table')
  const signature = fromBase64Url(table.signature, SIGNATURE_BYTES)
  if (signature === undefined || !(await isSigned(publicKey, await signedTextOfTable(table), signature)))
    throw new BadTable('unsigned table: its signature is not of this key')
  if (table.version < PINS.version)
    throw new BadTable(
      `the table has version ${table.version}, older than ${PINS.version}, which comes along`,
    )
}
