import { LIMITS, ROUTES } from '@stakewright/contract'
import { secondsUntil } from '#domain/limits/window.ts'
import { BUILD_MAX_AGE_MS, type CurrentNetwork } from '#domain/network/current-network.ts'
import type { Admission, Claim, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { User, UserTokens } from '#ports/users.ts'
import { Fault } from '../fault.ts'
import type { NoteTrail } from './audit-trail.ts'
import { truncateAddress } from './client-address.ts'
import { bearerOf, credentialOf } from './credentials.ts'
import type { Inbound } from './inbound.ts'
import { proveKeys } from './proven-keys.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { AdmitCaller, Asked, Caller } from './serve-endpoints.ts'

type Needs = {
  readonly admission: Admission
  readonly noteTrail: NoteTrail
  readonly network: CurrentNetwork
  readonly secrets: Secrets
  readonly userTokens: UserTokens
  readonly clock: Clock
}

type Proof = { readonly claim: Claim; readonly user?: User }

const NOBODY: Proof = { claim: { kind: 'nobody' } }
const USER_LIMITS = { rpm: LIMITS.userPerMinute, rpd: LIMITS.userPerDay }

/** Who is it, and may it: the credential is proven, then the store decides, charges and notes in one step. */
export function admitCaller(needs: Needs): AdmitCaller {
  const { admission, noteTrail, network, secrets, userTokens, clock } = needs
  const proveKey = proveKeys(secrets)
  const prove = {
    none: (): Proof => NOBODY,
    'agent-key': (inbound: Inbound): Proof => {
      const key = credentialOf(inbound)
      if (key === undefined) throw noKey()
      const claim = proveKey(key)
      if (claim === undefined) throw unknownKey()
      return { claim }
    },
    'user-token': async (inbound: Inbound): Promise<Proof> => {
      const token = bearerOf(inbound)
      if (token === undefined) throw noToken()
      const user = await userTokens.verify(token)
      if (!user) throw badToken()
      return { claim: { kind: 'user', userId: user.id, limits: USER_LIMITS }, user }
    },
  }

  const admit = <T>(
    { claim, user }: Proof,
    { endpoint, inbound, needs }: Asked,
    goOn: (caller: Caller) => T | Promise<T>,
  ): Promise<T> => {
    if (needs === 'data') network.read()
    if (needs === 'fresh data') network.read(BUILD_MAX_AGE_MS)
    const at = clock.now()
    const truncatedAddress = truncateAddress(inbound.client)
    const trail = inbound.openTrail(at)
    const closeTrail = () => {
      trail.isOpen = false
      noteTrail(trail, inbound.route, inbound.client)
    }
    return admission.admit({ claim, endpoint, at, truncatedAddress }).then(
      (decision) => {
        if (decision.kind === 'admitted') trail.ticket = decision.ticket
        closeTrail()
        if (decision.kind !== 'admitted') throw refusalOf(decision, inbound, at)
        return goOn(enter(decision, inbound, user))
      },
      (error: unknown) => {
        closeTrail()
        throw error
      },
    )
  }

  // Most proofs are there at once: waiting for them all the same would cost as much as they do.
  return (asked, goOn) => {
    const proof = prove[ROUTES[asked.endpoint].auth](asked.inbound)
    return proof instanceof Promise
      ? proof.then((known) => admit(known, asked, goOn))
      : admit(proof, asked, goOn)
  }
}

function refusalOf(decision: Exclude<Decision, Admitted>, inbound: Inbound, now: number): Fault {
  if (decision.kind === 'unknown') return unknownKey()
  if (decision.kind === 'unusable') return new Fault('unauthorized', UNUSABLE[decision.status])
  inbound.addHeaders(rateLimitHeaders(decision.quota))
  return limited(decision, now)
}

type Admitted = Extract<Decision, { kind: 'admitted' }>

function enter({ agent, quota }: Admitted, inbound: Inbound, user: User | undefined): Caller {
  if (!quota) return { kind: 'nobody' }
  inbound.addHeaders(rateLimitHeaders(quota))
  if (!agent) return user ? { kind: 'user', user, quota } : { kind: 'nobody' }
  inbound.note({ agentId: agent.id })
  return { kind: 'agent', agent, quota }
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
  const { limits, usedDay } = quota
  const seconds = secondsUntil(retryAt, now)
  const isDay = usedDay >= limits.rpd
  const limit = isDay ? `${limits.rpd} requests per UTC day` : `${limits.rpm} requests per minute`
  const advice = limits.rpm === 0 || limits.rpd === 0 ? 'Ask the operator' : `Try again in ${seconds} s`
  return new Fault('rate_limited', `The limit of ${limit} is used up. ${advice}.`, {
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
