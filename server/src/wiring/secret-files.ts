import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { isBegun } from '#adapters/sql/stores/keys/pepper.ts'
import { readOrCreateSecret } from '#adapters/system/secrets.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'

/** The loss if the file of a secret is missing. `isNeeded`: an existing store cannot be used without it. */
const FILES = {
  'key-pepper': { isNeeded: true, loss: 'no key of this store works without it' },
  [AUDIT_KEY_FILE]: { isNeeded: true, loss: 'the audit log of this store cannot be continued without it' },
  'jwt-secret': { isNeeded: false, loss: 'every token that was issued before is refused' },
  'intent-key': { isNeeded: false, loss: 'signatures of intents that were made before are no longer valid' },
} as const

/**
 * Loads the secrets of the service. The first start generates those that are not configured. If a file is missing
 * later, the start is refused, or the secret is generated again with a warning. With Postgres the audit and intent
 * keys are derived from the pepper.
 */
export async function loadSecrets({ dataDir, database, keys, tokens }: Config, db: Database, logger: Logger) {
  const begun = await isBegun(db)
  const load = async (name: keyof typeof FILES, given?: string): Promise<string> => {
    const path = join(dataDir, name)
    if (begun && given === undefined && !existsSync(path)) reportMissing(name, path, logger)
    return readOrCreateSecret(dataDir, name, given)
  }
  const pepper = await load('key-pepper', keys.pepper)
  const shared = database.kind === 'postgres' ? pepper : undefined
  return {
    pepper,
    audit: await load(AUDIT_KEY_FILE, shared),
    tokens: await load('jwt-secret', tokens.secret),
    intents: await load('intent-key', shared),
  }
}

function reportMissing(name: keyof typeof FILES, path: string, logger: Logger): void {
  const { isNeeded, loss } = FILES[name]
  if (isNeeded) {
    throw new Fault(
      'store_not_ready',
      `${path} is missing, and ${loss}. Put it back from a backup${name === 'key-pepper' ? ', or set KEY_PEPPER' : ''}.`,
    )
  }
  logger.warn('a secret file is missing: creating a new secret', { path, loss })
}
