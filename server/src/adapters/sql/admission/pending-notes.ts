import { performance } from 'node:perf_hooks'
import type { Admission } from '#ports/stores/admission.ts'
import type { Outcome, WeightedRefusal } from '../audit/batch.ts'
import type { CommitSchedule } from './commit-schedule.ts'
import { weighRefusals } from './refusals.ts'

/** Refusals wait for this long, so that equal ones of a second become one entry. */
const REFUSAL_LINGER_MS = 1_000

/** What a commit records besides the requests it decides. */
export type Notes = { readonly outcomes: readonly Outcome[]; readonly refusals: readonly WeightedRefusal[] }

export type OpenNotes = Pick<Admission, 'finish' | 'noteRefusal'> & {
  /** Everything that is due; the rest requests a commit of its own. */
  take(isLast: boolean): Notes
  /** After a commit that failed: the notes wait for the next one. */
  giveBack(notes: Notes): void
}

/**
 * Outcomes and refusals of requests until a commit records them. Outcomes go with the next admissions; without any they
 * are written after `outcomeLingerMs`.
 */
export function openNotes(schedule: CommitSchedule, outcomeLingerMs: number): OpenNotes {
  const refusals = weighRefusals()
  let outcomes: Outcome[] = []
  let refusedSince = 0
  return {
    finish(ticket, status, latencyMicros) {
      outcomes.push([ticket.number, ticket.agentNo ?? 0, status, Math.round(latencyMicros)])
      schedule.commitWithin(outcomeLingerMs)
    },
    noteRefusal(refusal) {
      if (refusals.isEmpty()) refusedSince = performance.now()
      refusals.add(refusal)
      schedule.commitWithin(REFUSAL_LINGER_MS)
    },
    take(isLast) {
      const dueInMs = isLast ? 0 : refusedSince + REFUSAL_LINGER_MS - performance.now()
      const taken = { outcomes, refusals: dueInMs > 0 ? [] : refusals.take() }
      outcomes = []
      if (!refusals.isEmpty()) schedule.commitWithin(Math.max(dueInMs, 0))
      return taken
    },
    giveBack(notes) {
      outcomes = [...notes.outcomes, ...outcomes]
      refusals.giveBack(notes.refusals)
    },
  }
}
