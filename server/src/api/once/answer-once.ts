import { type EndpointName, IdempotencyKey } from '@stakewright/contract'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { FindCompleted, FoundRequest, IdempotentRequest } from '#ports/stores/completed-requests.ts'
import { DAY_MS } from '../../durations.ts'
import { Fault, term } from '../../fault.ts'

type Needs = {
  readonly find: FindCompleted
  /** Why the stored answer must not be replayed; undefined: it may be. */
  readonly refuseReplay?: (found: FoundRequest, now: number) => KeyRefusal | undefined
  readonly secrets: Pick<Secrets, 'digest'>
  readonly clock: Clock
}

/** Why an idempotency key is refused, and what to do. */
export type KeyRefusal = { readonly message: string; readonly fix: string }

type Request = {
  /** The value of `Idempotency-Key`. */
  readonly key: string | undefined
  /** Namespace of the key. */
  readonly requester: string
  readonly endpoint: EndpointName
  readonly status: number
  readonly input: object
}

const REMEMBERED_MS = DAY_MS

/**
 * Executes a request with an idempotency key once: `run` stores the answer in the same commit as the effect, and a
 * repeat gets the stored answer. Without a key nothing is looked up.
 */
export function answerOnce({ find, refuseReplay, secrets, clock }: Needs) {
  return async <Served>(
    { key, requester, endpoint, status, input }: Request,
    run: (once: IdempotentRequest | undefined) => Promise<Served>,
  ) => {
    if (key === undefined) return run(undefined)
    const now = clock.now()
    const digest = secrets.digest('request', JSON.stringify([requester, endpoint, readKey(key)]))
    const requestDigest = secrets.digest('request', JSON.stringify(input))
    const replay = (known: FoundRequest) => {
      if (known.requestDigest !== requestDigest) throw refusal(OTHER_INPUT)
      const why = refuseReplay?.(known, now)
      if (why !== undefined) throw refusal(why)
      return { answer: { status, body: known.answer, isReplay: true } as const }
    }
    const known = await find(digest, now)
    if (known) return replay(known)
    try {
      return await run({ digest, requestDigest, now, expiresAt: now + REMEMBERED_MS })
    } catch (error) {
      // An unexpected error is reported unchanged.
      if (!(error instanceof Fault)) throw error
      // Of two concurrent requests with one key, the refused one finds the answer of the other here. The same look-up
      // finds the answer of an own commit whose confirmation was lost.
      const later = await find(digest, now).catch(() => {
        throw error
      })
      if (later) return replay(later)
      throw error
    }
  }
}

const OTHER_INPUT: KeyRefusal = {
  message: 'was used with other input',
  fix: 'Send the same input, or another key.',
}

function readKey(text: string): string {
  const { success, error } = IdempotencyKey.safeParse(text)
  if (success) return text
  const message = error.issues[0]?.message ?? 'is not valid'
  throw refusal({ message, fix: 'Send another key, such as a UUID.' })
}

const refusal = ({ message, fix }: KeyRefusal): Fault =>
  new Fault('invalid_input', `\`${term('idempotencyKey')}\` ${message}. ${fix}`, {
    details: [{ field: term('idempotencyKey'), message }],
    fix,
  })
