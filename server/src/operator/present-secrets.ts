import type { Database } from '#adapters/sql/schema.ts'
import { comparePepper } from '#adapters/sql/stores/keys/pepper.ts'
import { readSecret } from '#adapters/system/secrets.ts'
import type { Secrets } from '#ports/secrets.ts'
import { refusal } from '../fault.ts'

const SECRETS = {
  'key-pepper': { variable: 'KEY_PEPPER', use: 'actions, agents, keys and mandates are sealed with it' },
  'jwt-secret': { variable: 'JWT_SECRET', use: 'tokens are signed with it' },
} as const

/**
 * Reads a secret of the service. Commands never create one, because the service would refuse what they seal or sign
 * with it. `undone` is the verb for the error message.
 */
export async function presentSecret(
  name: keyof typeof SECRETS,
  folder: string,
  given: string | undefined,
  undone = 'done',
): Promise<string> {
  const secret = given ?? (await readSecret(folder, name))
  if (secret !== undefined) return secret
  const { variable, use } = SECRETS[name]
  throw refusal(
    'not_found',
    `Nothing was ${undone}: there is no file ${name} in ${folder}, and ${use}.`,
    `Set ${variable} as the service has it, or put its file back, or run this on its machine with its DATA_DIR.`,
  )
}

/** Unlike the service's check at the start, this does not record the pepper in a store that has none yet. */
export async function refuseOtherPepper(db: Database, secrets: Pick<Secrets, 'digest'>): Promise<void> {
  const compared = await comparePepper(db, secrets)
  if (compared === 'same') return
  throw compared === 'none'
    ? refusal(
        'invalid_input',
        'No service has used this store yet.',
        'Start the service on it once, then try again.',
      )
    : refusal(
        'invalid_input',
        'The pepper differs from the one that this store was created with. Nothing was done.',
        'Set KEY_PEPPER as the service has it, or put its file key-pepper into DATA_DIR.',
      )
}
