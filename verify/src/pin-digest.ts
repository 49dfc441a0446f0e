import { digestOf } from './canonical.ts'
import type { PinTable } from './networks.ts'
import { BadTable } from './refusal.ts'

/** SHA-256 over the canonical JSON of version and networks, as base64url. */
export const digestOfTable = ({ version, networks }: PinTable): Promise<string> =>
  digestOf({ version, networks })

/**
 * Throws `BadTable` unless the table matches its digest, and `wanted`, a digest from a trusted source. So a
 * truncated, merged or edited table is refused.
 */
export async function checkTable(table: PinTable, wanted?: string): Promise<void> {
  const digest = await digestOfTable(table)
  if (table.digest !== digest)
    throw new BadTable(`the table has the digest ${digest}, not ${String(table.digest).slice(0, 64)}`)
  if (wanted !== undefined && wanted !== digest)
    throw new BadTable(`the table has the digest ${digest}, but ${wanted.slice(0, 64)} is wanted`)
}
