import { type EndpointName, LIMITS, ROUTES } from '@stakewright/contract'
import { secondsUntil } from '#domain/limits/window.ts'
import { BUILD_MAX_AGE_MS, type CurrentNetwork } from '#domain/network/current-network.ts'
import type { Admission, Claim, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { User, UserTokens } from '#ports/users.ts'
import { Fault } from '../fault.ts'
import { truncateAddress } from './client-address.ts'
import { credentialOf } from './credentials.ts'
import type { Inbound } from './inbound.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { AdmitCaller, Caller } from './serve-endpoints.ts'

type Needs = {
  readonly admission: Admission
  readonly network: CurrentNetwork
  readonly secrets: Secrets
  readonly userTokens: UserTokens
  readonly clock: Clock
}

type Proof = { readonly claim: Claim; readonly user?: User }

const USER_LIMITS = { rpm: LIMITS.userPerMinute, rpd: LIMITS.userPerDay }

/** Who is it, and may it: the credential is proven, then the store decides, charges and notes in one step. */
export function admitCaller({ admission, network, secrets, userTokens, clock }: Needs): AdmitCaller {
  const prove = {
    none: async (): Promise<Proof> => ({ claim: { kind: 'nobody' } }),
    'agent-key': async (inbound: Inbound): Promise<Proof> => {
      const key = credentialOf(inbound)
      if (key === undefined) throw noKey()
      if (!secrets.isApiKey(key)) throw unknownKey()
      return { claim: { kind: 'agent-key', digest: secrets.digest('key', key) } }
    },
    'user-token': async (inbound: Inbound): Promise<Proof> => {
      const token = credentialOf(inbound)
      if (token === undefined) throw noToken()
      const user = await userTokens.verify(token)
      if (!user) throw badToken()
      return { claim: { kind: 'user', userId: user.id, limits: USER_LIMITS }, user }
    },
  }

  return async (endpoint, inbound, needs) => {
    if (needs === 'data') network.read()
    if (needs === 'fresh data') network.read(BUILD_MAX_AGE_MS)
    const { claim, user } = await prove[ROUTES[endpoint].auth](inbound)
    const at = clock.now()
    const truncatedAddress = truncateAddress(inbound.client())
    const decision = await admission.admit({ claim, endpoint, at, truncatedAddress })
    return enter(decision, { inbound, endpoint, user, now: at, admission })
  }
}

type Entering = {
  readonly inbound: Inbound
  readonly endpoint: EndpointName
  readonly user: User | undefined
  readonly now: number
  readonly admission: Admission
}

function enter(decision: Decision, { inbound, user, now, admission }: Entering): Caller {
  if (decision.kind === 'unknown') throw unknownKey()
  if (decision.kind === 'unusable') throw new Fault('unauthorized', UNUSABLE[decision.status])
  inbound.addHeaders(decision.quota ? rateLimitHeaders(decision.quota) : {})
  if (decision.kind === 'limited') throw limited(decision, now)
  const { ticket, agent, quota } = decision
  inbound.onFinished((status, latencyMs) => admission.finish(ticket, status, latencyMs * 1000))
  if (agent && quota) {
    inbound.note({ agentId: agent.id })
    return { kind: 'agent', agent, quota }
  }
  return user && quota ? { kind: 'user', user, quota } : { kind: 'nobody' }
}

/** Said only when the secret was right: whoever holds it may know what is wrong with it. */
const UNUSABLE = {
  pending_verification: 'This key is not verified yet. Use the link in the verification mail.',
  expired: 'This key has expired: its verification link was not used within 24 hours. Register again.',
  revoked: 'This key has been revoked. Register a new agent.',
  suspended: 'This key is suspended by an administrator. Ask the operator of this service.',
  replaced: 'This key has been replaced by rotation. Use the new one.',
} as const

function limited({ quota, retryAt }: Extract<Decision, { kind: 'limited' }>, now: number): Fault {
  const isDay = retryAt === quota.dayEndsAt
  const limit = isDay ? `${quota.limits.rpd} requests per UTC day` : `${quota.limits.rpm} requests per minute`
  const seconds = secondsUntil(retryAt, now)
  return new Fault('rate_limited', `The limit of ${limit} is used up. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  })
}

const noKey = () =>
  new Fault(
    'unauthorized',
    'An API key is required: send it as X-API-Key. POST /api/v1/agents/self-register gives one.',
  )

/** The same words for a typo, an invention and a stranger's prefix: nobody learns which keys exist. */
const unknownKey = () =>
  new Fault('unauthorized', 'This is not a valid API key. Check it for typos, or register a new agent.')

const noToken = () =>
  new Fault(
    'unauthorized',
    'A user token is required: send it as Authorization: Bearer. POST /api/v1/auth/code starts getting one.',
  )

const badToken = () =>
  new Fault('unauthorized', 'This is not a valid user token, or it has expired. Sign in again.')
