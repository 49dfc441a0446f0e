import type { OwnerRoom } from '#ports/stores/agents.ts'
import { DAY_MS } from '../../../durations.ts'
import { Fault } from '../../../fault.ts'

/** The room of an owner at a moment. */
export const roomAt = (limit: number, now: number): OwnerRoom => ({ limit, dayStart: now - (now % DAY_MS) })

export function noRoom(limit: number): Fault {
  const fix = 'Revoke one that is not needed: its place is free from the next UTC day on.'
  return new Fault('forbidden', `An owner may have ${limit} agents. ${fix}`, { fix })
}
