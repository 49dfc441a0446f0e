import type { DatabaseSync } from 'node:sqlite'
import type { AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import { type Intent, type Outcome, ticketNumber, toIntent, type WeightedRefusal } from '../audit/batch.ts'
import type { openAddressHits } from './address-hits.ts'
import type { AuditChain } from './audit-chain.ts'
import { lockPatience } from './lock-patience.ts'
import { watchOtherWriters } from './other-writers.ts'
import { openSubjects, type Subjects, type Verdict } from './subjects.ts'

/** What one commit decides and notes. */
export type Batch = {
  readonly requests: readonly AdmissionRequest[]
  readonly outcomes: readonly Outcome[]
  readonly refusals: readonly WeightedRefusal[]
  readonly at: number
}

type Needs = {
  readonly rules: AdmissionRules
  readonly chain: AuditChain
  readonly addresses: ReturnType<typeof openAddressHits>
}

/**
 * Decides a batch in one transaction, and returns the decisions once it is committed. When it throws, nothing has
 * changed here, and the store undoes what was begun.
 */
export function openCommit(database: DatabaseSync, { rules, chain, addresses }: Needs) {
  const subjects = openSubjects(database, rules)
  const others = watchOtherWriters(database)
  const waitOnce = lockPatience(database)
  const begin = database.prepare('begin immediate')
  const end = database.prepare('commit')

  function commit({ requests, outcomes, refusals, at }: Batch): readonly Decision[] {
    begin.run()
    if (others.haveWritten()) subjects.forget()
    const seq = chain.nextSeq()
    const decisions: Decision[] = []
    const intents: Intent[] = []
    for (const [place, request] of requests.entries()) {
      const decision = decide(subjects, request, ticketNumber(seq, place))
      decisions.push(decision)
      if (decision.kind === 'admitted') intents.push(toIntent(decision.ticket, request))
    }
    const newest = chain.append(at, { i: intents, o: outcomes, r: refusals })
    subjects.write()
    addresses.write()
    others.leave()
    end.run()
    chain.committed(newest)
    subjects.committed()
    addresses.committed()
    return decisions
  }

  return (batch: Batch): readonly Decision[] => {
    try {
      return waitOnce(() => commit(batch))
    } catch (error) {
      chain.failed()
      subjects.forget()
      throw error
    }
  }
}

/** Nobody's key or quota depends on it: counts of public reads, outcomes and refusals. */
export const isOfNobody = ({ requests }: Batch): boolean =>
  requests.every(({ claim }) => claim.kind === 'nobody')

function decide(subjects: Subjects, request: AdmissionRequest, number: number): Decision {
  const { claim } = request
  if (claim.kind === 'nobody') {
    return { kind: 'admitted', ticket: { number, agentNo: undefined }, agent: undefined, quota: undefined }
  }
  const verdict =
    claim.kind === 'agent-key'
      ? subjects.decideForAgent(claim.digest(), request)
      : subjects.decideForUser(claim.userId, claim.limits, request)
  return toDecision(verdict, number)
}

function toDecision({ outcome, agent }: Verdict, number: number): Decision {
  if (outcome.kind !== 'admit') return outcome
  return { kind: 'admitted', ticket: { number, agentNo: agent?.no }, agent, quota: outcome.quota }
}
