import { type EndpointName, effectOf, LIMITS, neededScope, ROUTES } from '@stakewright/contract'
import { truncateAddress } from '#domain/audit/truncate-address.ts'
import { secondsUntil } from '#domain/limits/window.ts'
import { BUILD_MAX_AGE_MS, type CurrentNetwork } from '#domain/network/current-network.ts'
import { refuseStaleAdmin } from '#domain/users/sessions.ts'
import type { Clock } from '#ports/clock.ts'
import type { Admission, ClaimedIdentity, Decision } from '#ports/stores/admission.ts'
import type { User, UserTokens } from '#ports/stores/users.ts'
import { Fault } from '../fault.ts'
import { addressBudgetOf } from './address-budget.ts'
import type { AuditEntry, RecordOutcome } from './audit-entry.ts'
import type { CallContext, Caller } from './call.ts'
import { credentialRefusals } from './credential-refusals.ts'
import { type Credentials, credentialOf, userTokenOf } from './credentials.ts'
import type { Required } from './endpoint.ts'
import { exampleCall } from './example-call.ts'
import type { RawInput } from './input/check-input.ts'
import { addRequiredFields } from './input/missing-fields.ts'
import type { KeyProofs } from './proven-keys.ts'

export type AuthorizeNeeds = {
  readonly admission: Admission
  readonly recordOutcome: RecordOutcome
  readonly network: CurrentNetwork
  readonly keyProofs: KeyProofs
  readonly userTokens: UserTokens
  /** Whether the session of a user's token is still open. */
  readonly isTokenStillValid: (user: User) => Promise<boolean>
  /** Whether the user needs a second factor and signed in without one. */
  readonly lacksFactor: (user: User) => Promise<boolean>
  readonly clock: Clock
  /** Called for each admitted request with a credential. */
  readonly onAdmitted?: (credential: string, now: number) => void
  /** The endpoint that refusals name as the way to get a key. */
  readonly keyEndpoint?: EndpointName
}

type Refusals = ReturnType<typeof credentialRefusals>

/** The parts of a call that admission needs. */
type CallInfo = {
  readonly endpoint: EndpointName
  readonly requires: Required | undefined
  /** The input as sent: a refused caller that sent none is told the required fields. */
  readonly input: RawInput | undefined
  readonly context: CallContext
  readonly audit: AuditEntry
}

/** Runs `next` if the caller is admitted; otherwise rejects with a Fault. */
type Authorize = <T>(info: CallInfo, next: (caller: Caller) => T | Promise<T>) => Promise<T>

type Proof = {
  readonly claim: ClaimedIdentity
  readonly user?: User
  readonly lacksFactor?: boolean
  readonly credential?: string
  /** The credential is only checked, not charged, because the endpoint needs none. */
  readonly isUncharged?: boolean
}

const ANONYMOUS: Proof = { claim: { kind: 'nobody' } }
const USER_LIMITS = { rpm: LIMITS.userPerMinute, rpd: LIMITS.userPerDay }

/** Verifies the credential; then the store decides, charges the quota and writes the audit log in one transaction. */
export function authorizeCalls(needs: AuthorizeNeeds): Authorize {
  const { admission, recordOutcome, network, clock, onAdmitted } = needs
  const refusals = credentialRefusals(needs.keyEndpoint ?? 'selfRegister')
  const prove = proofs(needs, refusals)

  const admit = <T>(
    { claim, user, lacksFactor, credential, isUncharged = false }: Proof,
    { endpoint, requires, input, context, audit }: CallInfo,
    next: (caller: Caller) => T | Promise<T>,
  ): Promise<T> => {
    if (requires === 'data') network.read()
    if (requires === 'fresh data') network.read(BUILD_MAX_AGE_MS)
    const { client, label } = context
    const at = clock.now()
    audit.isPending = true
    const decided = () => {
      audit.isPending = false
      recordOutcome(audit, endpoint, client)
    }
    return admission
      .admit({
        claim,
        endpoint,
        label,
        at,
        truncatedAddress: truncateAddress(client),
        client,
        isUncharged,
        isLastResort: addressBudgetOf(endpoint) !== undefined,
      })
      .then(
        (decision) => {
          if (decision.kind === 'admitted') audit.ticket = decision.ticket
          decided()
          if (decision.kind !== 'admitted')
            throw addRequiredFields(
              refusalOf(decision, context, {
                at,
                refusals,
                endpoint,
                whose: claim.kind === 'user' ? 'user' : 'agent',
              }),
              endpoint,
              input,
            )
          if (credential !== undefined) onAdmitted?.(credential, at)
          if (isUncharged) return next({ kind: 'anonymous' })
          const caller = toCaller(decision, context, claim, user)
          const { agent } = decision
          const stale =
            user && needsRecentSignIn(endpoint) && refuseStaleAdmin(user, at, LIMITS.freshSignInMs)
          if (stale) throw stale
          if (lacksFactor && !GETS_FACTOR.has(endpoint)) throw withoutFactor()
          if (agent?.key && !agent.key.scopes.includes(neededScope(endpoint)))
            throw refusals.outOfScope(agent.key, endpoint)
          return next(caller)
        },
        (error: unknown) => {
          decided()
          throw error
        },
      )
  }

  const proofOf = ({ endpoint, context }: CallInfo): Proof | Promise<Proof> => {
    const { auth } = ROUTES[endpoint]
    return auth === 'none' ? proofOfGiven(context, prove) : prove[auth](context.credentials())
  }

  // Most proofs are synchronous, and a promise would cost as much as the proof.
  return (info, next) => {
    info.audit.label ??= info.context.label
    let proof: Proof | Promise<Proof>
    try {
      proof = proofOf(info)
    } catch (error) {
      throw addRequiredFields(error, info.endpoint, info.input)
    }
    if (!(proof instanceof Promise)) return admit(proof, info, next)
    return proof.then(
      (known) => admit(known, info, next),
      (error: unknown) => {
        throw addRequiredFields(error, info.endpoint, info.input)
      },
    )
  }
}

/** For an endpoint that needs no credential: checks one that is sent anyway if the transport wants that. */
function proofOfGiven(
  { checksCredential, credentials }: CallContext,
  prove: ReturnType<typeof proofs>,
): Proof {
  if (!checksCredential) return ANONYMOUS
  const given = credentials()
  return credentialOf(given) === undefined ? ANONYMOUS : { ...prove['agent-key'](given), isUncharged: true }
}

/** Verifies a credential, by the kind of credential that a route asks for. */
function proofs(
  { keyProofs, userTokens, isTokenStillValid, lacksFactor }: AuthorizeNeeds,
  refusals: Refusals,
) {
  return {
    'agent-key': (credentials: Credentials): Proof => {
      const key = credentialOf(credentials)
      if (key === undefined) throw refusals.noKey(credentials)
      const claim = keyProofs.prove(key)
      if (claim === undefined) throw refusals.unknownKey(key)
      return { claim, credential: key }
    },
    'user-token': async (credentials: Credentials): Promise<Proof> => {
      const token = userTokenOf(credentials)
      if (token === undefined) throw refusals.noToken(credentials)
      const user = await userTokens.verify(token)
      if (!user || !(await isTokenStillValid(user))) throw refusals.badToken(token)
      const claim: ClaimedIdentity = { kind: 'user', userId: user.id, limits: USER_LIMITS }
      return { claim, user, lacksFactor: await lacksFactor(user), credential: token }
    },
  }
}

type Admitted = Extract<Decision, { kind: 'admitted' }>

function refusalOf(
  decision: Exclude<Decision, Admitted>,
  { onQuota }: CallContext,
  { at, refusals, endpoint, whose }: RefusalContext,
): Fault {
  if (decision.kind === 'unknown') return refusals.unknownKey('')
  if (decision.kind === 'unusable') return refusals.unusableKey(decision.status, endpoint)
  onQuota(decision.quota)
  return limited(decision, at, whose)
}

type RefusalContext = {
  readonly at: number
  readonly refusals: Refusals
  readonly endpoint: EndpointName
  readonly whose: 'agent' | 'user'
}

function toCaller(
  { agent, quota }: Admitted,
  { onQuota, note }: CallContext,
  claim: ClaimedIdentity,
  user: User | undefined,
): Caller {
  if (!quota) return { kind: 'anonymous' }
  onQuota(quota)
  if (user) return { kind: 'user', user, quota }
  if (!agent || claim.kind !== 'agent-key') return { kind: 'anonymous' }
  note({ agentId: agent.id })
  return { kind: 'agent', agent, quota, keyDigest: claim.digest }
}

/** Ending an own session is always allowed; every other change needs a recent sign-in. */
const needsRecentSignIn = (endpoint: EndpointName) =>
  endpoint !== 'endSession' && effectOf(endpoint) !== 'none'

/** Endpoints that an admin may call before enrolling a required second factor. */
const GETS_FACTOR: ReadonlySet<EndpointName> = new Set([
  'totpState',
  'enrolTotp',
  'confirmTotp',
  'listSessions',
  'endSession',
])

const withoutFactor = () => {
  const fix = 'Enrol an authenticator app, or sign in with the one you have.'
  return new Fault('forbidden', `Admins need a second factor here. ${fix}`, {
    fix,
    next: exampleCall('enrolTotp'),
  })
}

function limited(
  { quota, retryAt }: Extract<Decision, { kind: 'limited' }>,
  now: number,
  whose: RefusalContext['whose'],
): Fault {
  const { limits, usedDay } = quota
  const seconds = secondsUntil(retryAt, now)
  const isDay = usedDay >= limits.rpd
  const limit = isDay ? `${limits.rpd} requests per UTC day` : `${limits.rpm} requests per minute`
  const advice = limits.rpm === 0 || limits.rpd === 0 ? 'Ask the operator' : `Try again in ${seconds} s`
  return new Fault('rate_limited', `The ${whose}’s limit of ${limit} is used up. ${advice}.`, {
    retryAfterSeconds: seconds,
  })
}
