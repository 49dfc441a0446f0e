import type { Span } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'
import { findUnused } from '../reservations/sight-reservations.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import type { Breach } from '../wish.ts'
import type { Case, HeldAgent, JudgeNeeds } from './open-case.ts'

/**
 * What the wish breaks; a policy that does not look at what was built before costs no read. What a wrong clock has dated
 * or nobody has carried out is put right on the way, so that an answer is the same whoever asks next.
 */
export function findBreaches(needs: Pick<JudgeNeeds, 'reservations' | 'chain' | 'clock'>) {
  const { reservations, clock } = needs
  const unusedOf = findUnused(needs)

  /** When a full window has room again is looked up only for who is refused. */
  async function look({ no }: HeldAgent, found: Case) {
    const { spans = {} } = found.counted ?? {}
    const counted = found.counted && (await reservations.counted(no, found.counted))
    const isMisdated = counted?.isMisdated ?? false
    const asked: Promise<number | undefined>[] = []
    const breaches = found.breaches(counted, (window, actions, amount) => {
      const span: Span | undefined = spans[window]
      if (span && 'since' in span)
        asked.push(reservations.leavesAt(no, { since: span.since, actions, amount }))
      return undefined
    })
    if (asked.length === 0) return { breaches, isMisdated }
    // The same questions in the same order.
    const answers = await Promise.all(asked)
    return { breaches: found.breaches(counted, () => answers.shift()), isMisdated }
  }

  /** What a clock that was ahead has dated would count until that time comes; it counts from now instead. */
  async function lookByClock(agent: HeldAgent, found: Case) {
    const first = await look(agent, found)
    if (!first.isMisdated) return first
    await reservations.dateAnew(agent.no, clock.now() + CLOCK_STEP_MS, clock.now())
    return look(agent, found)
  }

  /** Looks whether expired reservations were ever carried out, and frees those that were not. */
  async function makeRoom({ no }: HeldAgent, { senders, counted, now }: Case, deadline: AbortSignal) {
    const expired = await reservations.expired(no, {
      spans: Object.values(counted?.spans ?? {}),
      // An address that the agent may choose freely shows nothing of what was signed by another.
      senders,
      expiredBefore: now - SETTLING_MS,
    })
    const unused: string[] = []
    for (const sender of new Set(expired.flatMap((one) => one.sender ?? []))) {
      const own = expired.filter((one) => one.sender === sender)
      unused.push(...(await unusedOf(no, sender, own, deadline)).map(({ id }) => id))
    }
    await reservations.free(no, unused)
    return unused.length > 0
  }

  return async (agent: HeldAgent, found: Case, deadline: AbortSignal): Promise<readonly Breach[]> => {
    const { breaches } = await lookByClock(agent, found)
    const isFull = breaches.length > 0 && breaches.every(({ rule }) => rule === 'maxPerWindow')
    if (!isFull || !(await makeRoom(agent, found, deadline))) return breaches
    return (await look(agent, found)).breaches
  }
}
