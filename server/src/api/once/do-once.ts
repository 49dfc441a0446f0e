import type { EndpointName } from '@stakewright/contract'
import type { Once } from '#domain/agents/manager.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { CompletedRequests } from '#ports/stores/completed-requests.ts'
import type { Call, Caller } from '../call.ts'
import { answerOnce } from './answer-once.ts'

type Needs = {
  readonly completed: CompletedRequests
  readonly secrets: Pick<Secrets, 'digest'>
  readonly clock: Clock
}

/** An answer with an API key, which is shown only once. */
type WithKey = {
  readonly data: { readonly apiKey: string; readonly keyPrefix: string; readonly warning: string }
}

type Request<Output, R extends WithKey> = {
  readonly endpoint: EndpointName
  readonly status: number
  readonly input: object
  readonly run: (once: Once<Output> | undefined) => Promise<Output>
  readonly toReply: (output: Output) => R
}

type KeyCall = Pick<
  Call<Extract<Caller, { kind: 'user' | 'anonymous' }>>,
  'caller' | 'client' | 'idempotencyKey'
>

const REPEATED =
  'This is the repeat of a request that was done already. The key was shown in the first answer and is not shown again.'

/** Executes a request that creates an API key once. A repeat gets the same answer without the key. */
export function doOnce({ completed, secrets, clock }: Needs) {
  const once = answerOnce({ find: completed.find, secrets, clock })
  return <Output, R extends WithKey>(
    call: KeyCall,
    { endpoint, status, input, run, toReply }: Request<Output, R>,
  ) =>
    once(
      { key: call.idempotencyKey, requester: requesterOf(call), endpoint, status, input },
      async (named) => {
        const answer = (output: Output) => JSON.stringify(withoutKey(toReply(output)))
        return { reply: toReply(await run(named && { ...named, answer })) }
      },
    )
}

export type DoOnce = ReturnType<typeof doOnce>

/** Keys are scoped to the user or the client's address, so that others cannot probe which exist. */
const requesterOf = ({ caller, client }: KeyCall): string =>
  caller.kind === 'user' ? caller.user.id : client

const withoutKey = (reply: WithKey): WithKey => ({
  ...reply,
  data: { ...reply.data, apiKey: `${reply.data.keyPrefix}…`, warning: REPEATED },
})
