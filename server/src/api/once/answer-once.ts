import { type EndpointName, IdempotencyKey } from '@stakewright/contract'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { FindDone, FoundRequest, OnceKey } from '#ports/stores/done-requests.ts'
import { DAY_MS } from '../../durations.ts'
import { Fault } from '../../fault.ts'

type Needs = {
  readonly find: FindDone
  /** Why what was done must not be told again, or undefined. */
  readonly whyNot?: (found: FoundRequest, now: number) => Why | undefined
  readonly secrets: Pick<Secrets, 'digest'>
  readonly clock: Clock
}

/** Why a name is refused, and what to do. */
export type Why = { readonly message: string; readonly fix: string }

type Request = {
  /** As `Idempotency-Key` writes it. */
  readonly key: string | undefined
  /** Whose names are apart from everybody else's. */
  readonly who: string
  readonly endpoint: EndpointName
  readonly status: number
  readonly input: object
}

const REMEMBERED_MS = DAY_MS

/**
 * Does a request that has an `Idempotency-Key` once: whoever runs it records it in the commit that does it, and a repeat
 * is answered from that record. Without the header nothing is looked up.
 */
export function answerOnce({ find, whyNot, secrets, clock }: Needs) {
  return async <Served>(
    { key, who, endpoint, status, input }: Request,
    run: (once: OnceKey | undefined) => Promise<Served>,
  ) => {
    if (key === undefined) return run(undefined)
    const now = clock.now()
    const digest = secrets.digest('request', JSON.stringify([who, endpoint, readKey(key)]))
    const requestDigest = secrets.digest('request', JSON.stringify(input))
    const findRepeated = async () => {
      const known = await find(digest, now)
      if (known && known.requestDigest !== requestDigest) throw refusal(OTHER_INPUT)
      const why = known && whyNot?.(known, now)
      if (why !== undefined) throw refusal(why)
      const headers = { 'idempotent-replayed': 'true' } as const
      return known && { answer: { status, body: known.answer, headers } }
    }
    const repeated = await findRepeated()
    if (repeated) return repeated
    try {
      return await run({ digest, requestDigest, now, expiresAt: now + REMEMBERED_MS })
    } catch (error) {
      // Of two at once one is undone, and finds here what the other was answered.
      const later = await findRepeated()
      if (later) return later
      throw error
    }
  }
}

const OTHER_INPUT: Why = {
  message: 'was used with other input',
  fix: 'Send the same input, or another key.',
}

function readKey(text: string): string {
  const { success, error } = IdempotencyKey.safeParse(text)
  if (success) return text
  const message = error.issues[0]?.message ?? 'is not valid'
  throw refusal({ message, fix: 'Send another key, such as a UUID.' })
}

const refusal = ({ message, fix }: Why): Fault =>
  new Fault('invalid_input', `\`Idempotency-Key\` ${message}. ${fix}`, {
    details: [{ field: 'Idempotency-Key', message }],
    fix,
  })
