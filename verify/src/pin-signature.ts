import { fromBase64Url } from './canonical.ts'
import { isSigned } from './ed25519.ts'
import { PINS, type PinTable } from './networks.ts'
import { checkTable, digestOfTable } from './pin-digest.ts'
import { BadTable } from './refusal.ts'

const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** What the signature of a table is made over; the words keep it from being the signature of anything else. */
export const signedTextOfTable = async (table: PinTable): Promise<string> =>
  `stakewright pins ${await digestOfTable(table)}`

/**
 * Throws `BadTable` unless the table is signed by this key, an Ed25519 public key as base64url. An older table than the
 * built-in one is refused, too: it may pin packages that were given up.
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
