import type { EndpointName } from '@stakewright/contract'
import type { Once } from '#domain/agents/manager.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { DoneRequests } from '#ports/stores/done-requests.ts'
import { Fault } from '../../../fault.ts'
import type { Call, Caller } from '../../call.ts'

type Needs = { readonly done: DoneRequests; readonly secrets: Pick<Secrets, 'digest'>; readonly clock: Clock }

/** Every answer of these has a key, which is shown once. */
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

const REMEMBERED_MS = 86_400_000
const REPEATED =
  'This is the repeat of a request that was done already. The key was shown in the first answer and is not shown again.'

/**
 * Does a request that has an `Idempotency-Key` once: it is recorded in the commit that does it, and a repeat is answered
 * from that record.
 */
export function doOnce({ done, secrets, clock }: Needs) {
  return async <Output, R extends WithKey>(
    { caller, idempotencyKey }: Call<Extract<Caller, { kind: 'user' }>>,
    { endpoint, status, input, run, toReply }: Request<Output, R>,
  ) => {
    if (idempotencyKey === undefined) return { reply: toReply(await run(undefined)) }
    const now = clock.now()
    const digest = secrets.digest(
      'request',
      JSON.stringify([caller.user.id, endpoint, readKey(idempotencyKey)]),
    )
    const requestDigest = secrets.digest('request', JSON.stringify(input))
    const findRepeated = async () => {
      const known = await done.find(digest, now)
      if (known && known.requestDigest !== requestDigest) throw anotherBody()
      return (
        known && {
          answer: { status, body: known.answer, headers: { 'idempotent-replayed': 'true' } as const },
        }
      )
    }
    const repeated = await findRepeated()
    if (repeated) return repeated
    const answer = (output: Output) => JSON.stringify(withoutKey(toReply(output)))
    try {
      return {
        reply: toReply(await run({ digest, requestDigest, now, expiresAt: now + REMEMBERED_MS, answer })),
      }
    } catch (error) {
      // Of two at once one is undone, and finds here what the other was answered.
      const later = await findRepeated()
      if (later) return later
      throw error
    }
  }
}

export type DoOnce = ReturnType<typeof doOnce>

const withoutKey = (reply: WithKey): WithKey => ({
  ...reply,
  data: { ...reply.data, apiKey: `${reply.data.keyPrefix}…`, warning: REPEATED },
})

function readKey(text: string): string {
  if (/^[!-~]{1,64}$/.test(text)) return text
  const message = 'must be 1 to 64 visible ASCII characters'
  throw new Fault('invalid_input', `\`Idempotency-Key\` ${message}.`, {
    details: [{ field: 'Idempotency-Key', message }],
  })
}

function anotherBody(): Fault {
  const message = 'was used with another body. Send the same body, or another key'
  return new Fault('invalid_input', `\`Idempotency-Key\` ${message}.`, {
    details: [{ field: 'Idempotency-Key', message }],
  })
}
