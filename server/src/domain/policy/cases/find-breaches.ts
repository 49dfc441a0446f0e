import type { Counted } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'
import { findUnused } from '../reservations/sight-reservations.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import type { Breach } from '../wish.ts'
import { findRoom, type Returning } from './find-room.ts'
import type { Case, HeldAgent, JudgeNeeds } from './open-case.ts'

/**
 * What the wish breaks; a policy that does not look at what was built before costs no read. What a wrong clock has dated
 * or nobody has carried out is put right on the way, so that an answer is the same whoever asks next.
 */
export function findBreaches(needs: Pick<JudgeNeeds, 'reservations' | 'chain' | 'clock'>) {
  const { reservations, clock } = needs
  const unusedOf = findUnused(needs)
  const roomOf = findRoom(needs)

  const count = async ({ no }: HeldAgent, { counted }: Case): Promise<Counted | undefined> =>
    counted && reservations.counted(no, counted)

  /** What a clock that was ahead has dated would count until that time comes; it counts from now instead. */
  async function countByClock(agent: HeldAgent, found: Case): Promise<Counted | undefined> {
    const counted = await count(agent, found)
    if (!counted?.isMisdated) return counted
    await reservations.dateAnew(agent.no, clock.now() + CLOCK_STEP_MS, clock.now())
    return count(agent, found)
  }

  /** What was not carried out, and gives its room back once it cannot be any more. */
  async function returningOf(
    { no }: HeldAgent,
    { senders, counted }: Case,
    deadline: AbortSignal,
  ): Promise<readonly Returning[]> {
    const unseen = await reservations.unseenIn(no, {
      spans: Object.values(counted?.spans ?? {}),
      // An address that the agent may choose freely shows nothing of what was signed by another.
      senders: [...senders.keys()],
    })
    const returning: Returning[] = []
    for (const [sender = '', own] of Map.groupBy(unseen, (one) => one.sender))
      for (const { reservation, certainAt } of await unusedOf(no, sender, own, deadline)) {
        const freeAt = Math.max(certainAt, reservation.expiresAt + SETTLING_MS)
        if (freeAt < (senders.get(sender) ?? 0)) returning.push({ ...reservation, freeAt })
      }
    return returning
  }

  return async (agent: HeldAgent, found: Case, deadline: AbortSignal): Promise<readonly Breach[]> => {
    const counted = await countByClock(agent, found)
    const breaches = found.breaches(counted)
    if (!breaches.some(({ rule }) => rule === 'maxPerWindow')) return breaches
    const returning = await returningOf(agent, found, deadline)
    const free = returning.filter(({ freeAt }) => freeAt <= found.now).map(({ id }) => id)
    await reservations.free(agent.no, free)
    const now = free.length === 0 ? counted : await count(agent, found)
    const later = returning.filter(({ freeAt }) => freeAt > found.now)
    return roomOf(agent, found, { counted: now, returning: later })
  }
}
