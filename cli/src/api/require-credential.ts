import { type EndpointName, ROUTES } from '@stakewright/contract'
import { Refusal, type Terminal } from '../command.ts'
import { DEFAULT_PROFILE, readProfiles } from '../profiles.ts'
import { type Connection, whySecretsUnused } from './connection.ts'

/** Refuses a call without the credential it needs before anything is sent. `savedIn` is the profile to save in. */
export function requireCredential(
  endpoint: EndpointName,
  connection: Connection,
  savedIn: string | undefined,
  env: Terminal['env'],
): void {
  const { apiKey, token, profile } = connection
  const { auth } = ROUTES[endpoint]
  const elsewhere = whySecretsUnused(connection)
  const why = elsewhere === undefined ? '' : ` ${elsewhere}`
  if (auth === 'agent-key' && apiKey === undefined) {
    throw new Refusal(
      'unauthorized',
      `This command needs an API key.${why}`,
      'Set STAKEWRIGHT_API_KEY, or save a key: on the sandbox with `stakewright key --save`, elsewhere with `stakewright register EMAIL NAME --save`.',
    )
  }
  if (auth !== 'user-token' || token !== undefined) return
  const signedIn = savedIn === undefined || elsewhere !== undefined ? undefined : profileWithToken(env)
  throw new Refusal(
    'unauthorized',
    `This command needs the token of a signed-in user.${why}${
      signedIn === undefined ? '' : ` The profile "${profile}" has none, and "${signedIn}" has one.`
    }`,
    signedIn === undefined ? signIn(profile) : `Give --profile ${signedIn} --save-as ${savedIn}.`,
  )
}

function profileWithToken(env: Terminal['env']): string | undefined {
  const profiles = readProfiles(env)
  return [DEFAULT_PROFILE, ...Object.keys(profiles)].find((name) => profiles[name]?.token !== undefined)
}

/** Both ways to get a token: sign-in by mail, and by wallet. */
function signIn(profile: string): string {
  const save = profile === DEFAULT_PROFILE ? '--save' : `--save --profile ${profile}`
  return [
    `Run \`stakewright sign-in code EMAIL\`, then \`stakewright sign-in token EMAIL CODE ${save}\`.`,
    `With a wallet instead: \`stakewright wallet-challenge --address ADDRESS\`, sign its message, then \`stakewright sign-in token --address ADDRESS --nonce NONCE --signature SIGNATURE ${save}\`.`,
    'Or set STAKEWRIGHT_TOKEN.',
  ].join(' ')
}
