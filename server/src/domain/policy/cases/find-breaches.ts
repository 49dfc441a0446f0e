import type { WindowUse } from '#ports/stores/reservations.ts'
import { CLOCK_STEP_MS } from '../../../durations.ts'
import { findUnused } from '../reservations/mark-executed.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import type { Breach } from '../wish.ts'
import { findRoom, type Returning } from './find-room.ts'
import type { Case, HeldAgent, JudgeNeeds } from './open-case.ts'

/**
 * The rules that the wish breaks. A policy without rules about earlier builds costs no read. Misdated and expired
 * reservations are corrected first, so that the next caller gets the same answer.
 */
export function findBreaches(needs: Pick<JudgeNeeds, 'reservations' | 'chain' | 'clock'>) {
  const { reservations, clock } = needs
  const unusedOf = findUnused(needs)
  const roomOf = findRoom(needs)

  const count = async ({ no }: HeldAgent, { windowPart }: Case): Promise<WindowUse | undefined> =>
    windowPart && reservations.windowUse(no, windowPart)

  /** Reservations dated ahead by a wrong clock count from now instead. */
  async function countByClock(agent: HeldAgent, found: Case): Promise<WindowUse | undefined> {
    const windowUse = await count(agent, found)
    if (!windowUse?.needsRedating) return windowUse
    await reservations.redate(agent.no, clock.now() + CLOCK_STEP_MS, clock.now())
    return count(agent, found)
  }

  /** Reservations that were not executed and are freed once they no longer can be. */
  async function returningOf(
    { no }: HeldAgent,
    { senders, windowPart }: Case,
    deadline: AbortSignal,
  ): Promise<readonly Returning[]> {
    const unseen = await reservations.unseenIn(no, {
      spans: Object.values(windowPart?.spans ?? {}),
      // Only senders fixed by a rule: of a freely chosen address the chain shows nothing about another signer.
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
    const windowUse = await countByClock(agent, found)
    const breaches = found.breaches(windowUse)
    if (!breaches.some(({ rule }) => rule === 'maxPerWindow')) return breaches
    const returning = await returningOf(agent, found, deadline)
    const free = returning.filter(({ freeAt }) => freeAt <= found.now).map(({ id }) => id)
    const later = returning.filter(({ freeAt }) => freeAt > found.now)
    if (free.length === 0) return roomOf(agent, found, { windowUse, returning: later })
    await reservations.release(agent.no, free)
    return roomOf(agent, found, { windowUse: await count(agent, found), returning: later })
  }
}
