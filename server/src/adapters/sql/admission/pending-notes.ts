import { performance } from 'node:perf_hooks'
import type { Admission } from '#ports/stores/admission.ts'
import { type Outcome, toLoggedBuild, type WeightedRefusal } from '../audit/batch.ts'
import type { CommitSchedule } from './commit-schedule.ts'
import { weighRefusals } from './refusals.ts'

/** Refusals are held this long, so that equal ones of a second become one entry. */
const REFUSAL_LINGER_MS = 1_000

/** Outcomes and refusals that a commit records besides its admissions. */
export type Notes = { readonly outcomes: readonly Outcome[]; readonly refusals: readonly WeightedRefusal[] }

type OpenNotes = Pick<Admission, 'finish' | 'noteRefusal'> & {
  /** Takes everything due and schedules a commit for the rest. */
  take(isLast: boolean): Notes
  /** After a failed commit: keeps the notes for the next one. */
  giveBack(notes: Notes): void
}

/**
 * Outcomes and refusals waiting for a commit. Outcomes join the next admission; without one they are
 * committed after `outcomeLingerMs`.
 */
export function openNotes(schedule: CommitSchedule, outcomeLingerMs: number): OpenNotes {
  const refusals = weighRefusals()
  let outcomes: Outcome[] = []
  let refusedSince = 0
  return {
    finish({ number, agentNo = 0 }, status, latencyMicros, build) {
      const micros = Math.round(latencyMicros)
      outcomes.push(
        build === undefined
          ? [number, agentNo, status, micros]
          : [number, agentNo, status, micros, toLoggedBuild(build)],
      )
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
