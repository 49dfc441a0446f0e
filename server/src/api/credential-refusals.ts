import { type EndpointName, neededScope } from '@stakewright/contract'
import type { KeyLimits } from '#ports/stores/agent-keys.ts'
import { call, refusal, term } from '../fault.ts'
import { TOKEN_FORM } from '../secrets/token-form.ts'
import type { Credentials } from './credentials.ts'
import { exampleCall } from './example-call.ts'

/** Used only if the secret was right: the holder of a key may learn its state. */
const UNUSABLE = {
  pending_verification: ['This key is not verified yet.', 'Use the link in the verification mail.'],
  expired: ['This key has expired: its verification link was not used within 24 hours.', 'Register again.'],
  revoked: ['This key has been revoked.', 'Register a new agent.'],
  suspended: ['This key is suspended by an administrator.', 'Ask the operator of this service.'],
  key_revoked: ['This key has been revoked.', 'Use another key of the agent.'],
  key_expired: ['This key has expired.', 'Use another key of the agent, or make a new one.'],
  other_network: [
    'This key is not accepted from your network.',
    'Call from a network that it allows, or make a key that allows yours.',
  ],
  replaced: ['This key has been replaced by rotation.', 'Use the new one.'],
} as const

type Unusable = keyof typeof UNUSABLE

/** In these states a key may work again later. */
const NOT_ENDED: ReadonlySet<Unusable> = new Set(['pending_verification', 'suspended', 'other_network'])

/**
 * For `revokeSelf`, "use another key" would be wrong advice: the endpoint revokes the key that is sent, and with a
 * primary key its agent.
 */
const END_BY_REPORT = `To end this key, report it as leaked: ${call('reportLeak')} ends it whatever its scope, state and networks are.`

const API_KEY = /^[a-z][a-z0-9]*_[0-9A-Za-z]{46}$/

const ALONE = 'without a word before it in X-API-Key, and without quotes in any header'

/** Whether the value is a key with a scheme or quotes around it. The bare key is not tried. */
const isWrapped = (given: string): boolean => {
  const bare = given.replace(/^Bearer\s+/i, '').replace(/^(["'])(.*)\1$/, '$2')
  return bare !== given && API_KEY.test(bare)
}

/** The refusals of credentials, each with the call by which the caller gets a valid one. */
export function credentialRefusals(keyEndpoint: EndpointName) {
  const refuse = (message: string, fix: string, leadsTo: EndpointName | undefined) =>
    refusal('unauthorized', message, fix, { next: leadsTo && exampleCall(leadsTo) })
  const getKey = `${call(keyEndpoint)} gives one.`
  const getToken = `To get one by mail, begin with ${call('requestCode')}; with a wallet, with ${call('walletChallenge')}.`

  return {
    noKey: ({ inUrl }: Credentials) => {
      const name = inUrl?.()
      return name === undefined
        ? refuse('An API key is required.', `${term('sendKey')}. ${getKey}`, keyEndpoint)
        : refuse(
            `An API key is required, and ${notRead(name)}`,
            'Send it as the header X-API-Key.',
            undefined,
          )
    },

    /** One message for typos, invented keys and foreign prefixes, so that it does not reveal which keys exist. */
    unknownKey: (given: string) => {
      if (TOKEN_FORM.test(given))
        return refuse(
          'This is a user token, and an API key is required.',
          `Use an API key instead. ${term('sendKey')}. ${getKey}`,
          keyEndpoint,
        )
      return isWrapped(given)
        ? refuse('The value contains more than an API key.', `Send the key alone, ${ALONE}.`, undefined)
        : refuse('This is not a valid API key.', 'Check it for typos, or register a new agent.', keyEndpoint)
    },

    unusableKey: (status: Unusable, endpoint?: EndpointName) => {
      const [message, fix] = UNUSABLE[status]
      if (endpoint === 'revokeSelf' && NOT_ENDED.has(status))
        return refuse(message, END_BY_REPORT, 'reportLeak')
      return refuse(message, fix, status === 'expired' || status === 'revoked' ? keyEndpoint : undefined)
    },

    outOfScope: ({ scopes }: KeyLimits, endpoint: EndpointName) => {
      const needed = neededScope(endpoint)
      const message = `This key has the scope ${scopes.join(', ')}, and this call needs ${needed}.`
      return endpoint === 'revokeSelf'
        ? refusal('forbidden', message, END_BY_REPORT, { next: exampleCall('reportLeak') })
        : refusal('forbidden', message, `Use a key with the scope ${needed}.`)
    },

    noToken: ({ apiKey, inUrl }: Credentials) => {
      const name = inUrl?.()
      if (name !== undefined)
        return refuse(
          `A user token is required, and ${notRead(name)}`,
          'Send it as the header Authorization: Bearer.',
          undefined,
        )
      return refuse(
        apiKey === undefined
          ? 'A user token is required.'
          : 'This takes a user token, and X-API-Key is for API keys.',
        `${term('sendToken')}. ${getToken}`,
        'requestCode',
      )
    },

    badToken: (given: string) =>
      API_KEY.test(given)
        ? refuse(
            'This is an API key, and a user token is required.',
            `Use a user token instead. ${term('sendToken')}. ${getToken}`,
            'requestCode',
          )
        : refuse('This is not a valid user token, or it has expired.', 'Sign in again.', 'requestCode').with({
            details: [{ field: 'Authorization', message: 'is not a valid user token, or it has expired' }],
          }),
  }
}

const notRead = (name: string): string =>
  `\`${name}\` is not read from the URL: a secret never belongs there.`
