import { type ClientOptions, createClient, isCredential } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract'
import { Misuse, Refusal, type Terminal } from '../command.ts'
import {
  DEFAULT_PROFILE,
  isSameUrl,
  localUrl,
  type Profile,
  type Profiles,
  readProfiles,
  UnusablePath,
  whichProfiles,
} from '../profiles.ts'
import type { ParsedCall } from './parse-call.ts'
import { SECRETS } from './secret-answers.ts'

export type Connection = Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'token' | 'timeoutMs'> & {
  readonly profile: string
  /** The profile's address, if the call goes to another one: then the profile's secrets are not sent. */
  readonly savedFor?: string
  /** Why the profiles could not be read. */
  readonly profilesError?: UnusablePath
}

/** Address and credentials for a call: options first, then environment variables, then the profile. */
export function connectionFor(
  { common, isSet, endpoint }: Pick<ParsedCall, 'common' | 'isSet'> & Partial<Pick<ParsedCall, 'endpoint'>>,
  env: Terminal['env'],
): Connection {
  const name = common['profile'] ?? env['STAKEWRIGHT_PROFILE']
  const { profilesError, ...profile } = readProfile(env, name, {
    isNew: isSet('save') && common['save-as'] === undefined,
    canSave: endpoint !== undefined && endpoint in SECRETS && ROUTES[endpoint].auth === 'none',
  })
  const baseUrl = common['url'] ?? env['STAKEWRIGHT_URL'] ?? profile.url ?? localUrl(env)
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Misuse('The address of the service must start with http:// or https://.')
  }
  if (/^https?:\/\/[^/]*@/.test(baseUrl)) {
    throw new Misuse('The address of the service must have no name and password in it.')
  }
  // A saved key is never sent to another address than the one it was saved for.
  const savedFor = profile.url ?? localUrl(env)
  const isElsewhere = !isSameUrl(baseUrl, savedFor)
  const saved: Profile = isElsewhere ? {} : profile
  const apiKey =
    readSecret('STAKEWRIGHT_API_KEY', env['STAKEWRIGHT_API_KEY']) ?? readSecret('The saved key', saved.apiKey)
  const token =
    readSecret('STAKEWRIGHT_TOKEN', env['STAKEWRIGHT_TOKEN']) ?? readSecret('The saved token', saved.token)
  return {
    profile: name ?? DEFAULT_PROFILE,
    baseUrl,
    ...(profilesError && { profilesError }),
    ...(isElsewhere && (profile.apiKey ?? profile.token) !== undefined && { savedFor }),
    ...(apiKey && { apiKey }),
    ...(token && { token }),
    ...(common['timeout'] && { timeoutMs: readTimeout(common['timeout']) }),
  }
}

/** Refuses a malformed secret here, where its source is known, and does not quote it. */
function readSecret(what: string, text: string | undefined): string | undefined {
  const secret = text && bareSecret(text)
  if (!secret) return undefined
  if (isCredential(secret)) return secret
  throw new Refusal(
    'unauthorized',
    `${what} has characters that no key or token has, such as a space or a line break inside.`,
    'Set it again, to the whole key or token and nothing else.',
  )
}

/** The key or token without text that is often copied with it: the quotes of an env file, the `Bearer` of a header. */
export const bareSecret = (text: string): string =>
  text
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/^Bearer\s+/i, '')
    .trim()

export const clientFor = (
  { profile: _, savedFor: __, profilesError: ___, ...options }: Connection,
  more: Partial<ClientOptions> = {},
) => createClient({ ...options, ...more })

/** Says why the profile's secrets are not used; undefined if they are used, or if the profile has none. */
export const whySecretsUnused = ({
  profile,
  savedFor,
  profilesError,
  baseUrl,
}: Connection): string | undefined =>
  profilesError
    ? `${profilesError.message} ${profilesError.fix}`
    : savedFor &&
      `The credentials of the profile "${profile}" belong to ${savedFor}, and are not sent to ${baseUrl}: leave out --url and STAKEWRIGHT_URL to ask ${savedFor}.`

/** With `--save` the profile need not exist yet. `--save-as` writes another profile, so this one must exist. */
function readProfile(
  env: Terminal['env'],
  name: string | undefined,
  { isNew, canSave }: { readonly isNew: boolean; readonly canSave: boolean },
): Profile & Pick<Connection, 'profilesError'> {
  const profiles = readProfilesIfUsable(env, isNew || name !== undefined)
  if (profiles instanceof UnusablePath) return { profilesError: profiles }
  const wanted = name ?? DEFAULT_PROFILE
  const profile = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (profile || isNew || name === undefined || name === DEFAULT_PROFILE) return profile ?? {}
  const known = Object.keys(profiles)
  throw new Refusal(
    'not_found',
    `There is no profile "${name}".`,
    canSave
      ? 'Add --save to make it, with what this command answers.'
      : known.length > 0
        ? whichProfiles(known, name)
        : `Make it: stakewright profile set ${name} --url URL`,
  )
}

function readProfilesIfUsable(env: Terminal['env'], isNeeded: boolean): Profiles | UnusablePath {
  try {
    return readProfiles(env)
  } catch (error) {
    if (error instanceof UnusablePath && !isNeeded) return error
    throw error
  }
}

export function readTimeout(text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 600))
    throw new Misuse('--timeout must be seconds, more than 0 and at most 600.')
  return Math.max(1, Math.round(seconds * 1_000))
}
