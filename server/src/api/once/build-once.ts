import { type EndpointName, LIMITS } from '@stakewright/contract'
import { beingUsed, PolicyChanged } from '#domain/policy/admit-transaction.ts'
import type { BuiltTransaction } from '#domain/staking/transactions/build-transaction.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { FindCompleted, FoundRequest, KeptBuilds } from '#ports/stores/completed-requests.ts'
import type { AgentCall, AgentCaller, Call } from '../call.ts'
import { credentialRefusals } from '../credential-refusals.ts'
import type { PolicyGate } from '../policy-gate.ts'
import { answerOnce, type KeyRefusal } from './answer-once.ts'

type Needs = {
  readonly kept: KeptBuilds
  readonly secrets: Pick<Secrets, 'digest'>
  readonly clock: Clock
  readonly gate: Pick<PolicyGate, 'checkRepeat'>
  /** Namespace of the keys, because the store may have served another network before. */
  readonly network: string
  /** The epoch of the newest data; undefined: not read yet. */
  readonly epoch: () => number | undefined
}

/** Upper bound of rebuilds if the policy keeps changing meanwhile. */
const TRIES = 10

type Build<R> = { readonly built: Pick<BuiltTransaction, 'allowed' | 'expiresAt'>; readonly reply: R }

/**
 * Builds a transaction and commits its reservation before the answer is sent. With an `Idempotency-Key` the answer is
 * stored in the same commit, so that a repeat reserves nothing and gets the same transaction.
 */
export function buildOnce({ kept, gate, secrets, clock, network, epoch }: Needs) {
  const refusals = credentialRefusals(network === 'sandbox' ? 'sandboxKey' : 'selfRegister')

  /** If the policy was changed during the build, the transaction is built again under the new revision. */
  async function retryOnPolicyChange<T>(
    call: AgentCall,
    build: (call: AgentCall) => Promise<T>,
    triesLeft = TRIES,
  ): Promise<T> {
    try {
      return await build(call)
    } catch (error) {
      if (!(error instanceof PolicyChanged)) throw error
      const { revision: policyRevision } = error
      if (policyRevision === undefined) throw refusals.unusableKey('revoked')
      if (triesLeft === 0) throw beingUsed()
      const caller = { ...call.caller, agent: { ...call.caller.agent, policyRevision } }
      return retryOnPolicyChange({ ...call, caller }, build, triesLeft - 1)
    }
  }

  return <R extends { readonly intentId: string }>(
    { caller, signal, audit, idempotencyKey: key }: Call<AgentCaller>,
    { endpoint, input }: { readonly endpoint: EndpointName; readonly input: object },
    build: (call: AgentCall) => Promise<Build<R>>,
  ) => {
    const { agent } = caller
    const find: FindCompleted = async (digest, now) => {
      const found = await kept.find(agent.no, digest, now)
      if (found) await gate.checkRepeat({ caller })
      return found
    }
    const refuseReplay = (found: FoundRequest, now: number) => refuseUnsignable(found, now, epoch())
    const once = answerOnce({ find, refuseReplay, secrets, clock })
    return once({ key, requester: network, endpoint, status: 200, input }, (named) =>
      retryOnPolicyChange({ caller, signal, audit }, async (held) => {
        const {
          built: { allowed, expiresAt },
          reply,
        } = await build(held)
        const { intentId } = reply
        const most = LIMITS.keptBuildsPerAgent
        const record = named && { ...named, intentId, answer: JSON.stringify(reply), most }
        if (allowed?.reserve) await allowed.reserve(intentId, expiresAt, record)
        else if (record) await kept.keep(agent.no, record)
        return { reply }
      }),
    )
  }
}

export type BuildOnce = ReturnType<typeof buildOnce>

/** Why a transaction that was built must not be signed any more. */
function refuseUnsignable(
  { isReleased, answer }: FoundRequest,
  now: number,
  present: number | undefined,
): KeyRefusal | undefined {
  if (isReleased)
    return {
      message: 'names a transaction whose reservation was released, so it must not be signed',
      fix: 'Send another key.',
    }
  const { expiresAt, epoch } = JSON.parse(answer)
  const fix = 'Build it with another key, unless positions show that it was executed.'
  if (now >= Date.parse(expiresAt))
    return { message: `names a transaction that expired at ${expiresAt}`, fix }
  // The answer's epochs are valid only in the epoch of the build, and the sandbox can be advanced at any time.
  if (present === undefined || present === epoch) return undefined
  return { message: `names a transaction of epoch ${epoch}, and it is epoch ${present} now`, fix }
}
