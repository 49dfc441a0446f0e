import { performance } from 'node:perf_hooks'
import type { Admission } from '#ports/admission.ts'
import type { Outcome, WeightedRefusal } from '../audit/batch.ts'
import type { Turns } from './group-commit.ts'
import { weighRefusals } from './refusals.ts'

/** Refusals wait for this long, so that equal ones of a second become one entry. */
const REFUSAL_LINGER_MS = 1_000

/** What a commit notes besides those whom it admits. */
export type Notes = { readonly outcomes: readonly Outcome[]; readonly refusals: readonly WeightedRefusal[] }

export type OpenNotes = Pick<Admission, 'finish' | 'noteRefusal'> & {
  /** Everything that is due; the rest asks for a turn of its own. */
  take(isLast: boolean): Notes
  /** What could not be noted waits for the next commit. */
  giveBack(notes: Notes): void
}

/**
 * How requests ended and who was turned away, until a commit takes it along. Outcomes ride along with the next
 * admissions; without any they are written after `outcomeLingerMs`.
 */
export function openNotes(turns: Turns, outcomeLingerMs: number): OpenNotes {
  const refusals = weighRefusals()
  let outcomes: Outcome[] = []
  let refusedSince = 0
  return {
    finish(ticket, status, latencyMicros) {
      outcomes.push([ticket.number, ticket.agentNo ?? 0, status, Math.round(latencyMicros)])
      turns.after(outcomeLingerMs)
    },
    noteRefusal(refusal) {
      if (refusals.isEmpty()) refusedSince = performance.now()
      refusals.add(refusal)
      turns.after(REFUSAL_LINGER_MS)
    },
    take(isLast) {
      const dueInMs = isLast ? 0 : refusedSince + REFUSAL_LINGER_MS - performance.now()
      const taken = { outcomes, refusals: dueInMs > 0 ? [] : refusals.take() }
      outcomes = []
      if (!refusals.isEmpty()) turns.after(Math.max(dueInMs, 0))
      return taken
    },
    giveBack(notes) {
      outcomes = [...notes.outcomes, ...outcomes]
      refusals.giveBack(notes.refusals)
    },
  }
}
