import { Misuse, Refusal, type Terminal } from '../command.ts'
import { changeProfile, losesKey, profilesFile, requireWritableProfiles } from '../profiles.ts'
import { isObject } from '../render/generic-view.ts'
import type { Connection } from './connection.ts'
import type { ParsedCall } from './parse-call.ts'
import { SECRETS } from './secret-answers.ts'

/** The profile that `--save` or `--save-as` names; undefined if nothing is to be saved. */
export function profileToSave({ common, isSet }: ParsedCall, { profile }: Connection): string | undefined {
  const other = common['save-as']
  if (other === '') throw new Misuse('--save-as needs a name.')
  return other ?? (isSet('save') ? profile : undefined)
}

/**
 * Refuses to save before the call if the profile cannot be written, or if it would overwrite a key that cannot be
 * recovered.
 */
export function checkSavable(
  { endpoint, isSet }: ParsedCall,
  profile: string,
  { baseUrl: url }: Connection,
  env: Terminal['env'],
): void {
  requireWritableProfiles(env)
  if (isSet('replace')) return
  const change = SECRETS[endpoint] === 'apiKey' ? { url, apiKey: 'a new one' } : { url }
  if (!losesKey(env, profile, change)) return
  throw new Refusal(
    'profile_in_use',
    `The profile "${profile}" has a key already, which would be lost.`,
    `Give --save-as NAME to save under another name, or --replace to lose the old key${
      endpoint === 'rotateKey' ? ', as is right if it is the key that you rotate' : ''
    }.`,
  )
}

type Saved =
  /** `reply` has only the prefix of the secret: what is printed ends in the transcript of an agent. */
  | { readonly kind: 'saved'; readonly note: string; readonly reply: unknown }
  | { readonly kind: 'not_saved'; readonly problem: Refusal }

/** The service shows a secret once: if saving fails, the answer is to be printed whole. */
export function saveSecret(
  { endpoint }: ParsedCall,
  reply: unknown,
  profile: string,
  { baseUrl: url }: Connection,
  env: Terminal['env'],
): Saved {
  const data = isObject(reply) && isObject(reply['data']) ? reply['data'] : {}
  const secret = data[SECRETS[endpoint] ?? '']
  if (typeof secret !== 'string') {
    return {
      kind: 'not_saved',
      problem: notSaved(
        'the answer has no key or token',
        'Check that the address is that of the service itself, and that the service is not older than this command.',
      ),
    }
  }
  // The answer to a repeated request has only the prefix of the key.
  if (secret.endsWith('…'))
    return {
      kind: 'not_saved',
      problem: notSaved(
        'this is a repeat, and the key was in the first answer',
        'If that answer is lost, make another key: rotate this one, or register with another --idempotency-key.',
      ),
    }
  try {
    changeProfile(env, profile, {
      url,
      ...(SECRETS[endpoint] === 'apiKey' ? { apiKey: secret } : { token: secret }),
    })
    const note = `Saved in the profile "${profile}" (${profilesFile(env)}).`
    return { kind: 'saved', note, reply: withPrefixOnly(reply, secret) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      kind: 'not_saved',
      problem: notSaved(reason, 'Keep the answer yourself: it is shown this once.'),
    }
  }
}

const PREFIX_LENGTH = 12

/** As the service shows a key after the first time. */
const withPrefixOnly = (reply: unknown, secret: string): unknown =>
  JSON.parse(
    JSON.stringify(reply, (_, value) => (value === secret ? `${secret.slice(0, PREFIX_LENGTH)}…` : value)),
  )

const notSaved = (why: string, fix: string): Refusal => new Refusal('not_saved', `Not saved: ${why}.`, fix)
