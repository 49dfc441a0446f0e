import type {
  Activity,
  AdmissionRequest,
  AdmissionRules,
  AgentRecord,
  DayCounts,
  Decision,
  RuleOutcome,
} from '#ports/stores/admission.ts'
import { dayOf } from '../../../durations.ts'
import { type AdmittedRequest, ticketNumber, toAdmittedRequest } from '../audit/batch.ts'

/** Agents and users of a batch, as its transaction sees them and with the charges of its earlier requests. */
export type BatchSubjects = {
  agentOf(digest: string): AgentRecord | undefined
  agentActivity(agentNo: number): Activity | undefined
  dayCounts(agentNo: number, day: number): DayCounts | undefined
  userActivity(userId: string): Activity | undefined
  /** Sets the agent's new counters and those of the day. */
  chargeAgent(agentNo: number, activity: Activity, day: number, counts: DayCounts): void
  chargeUser(userId: string, activity: Activity): void
  /** Records the use of a named key. */
  noteKeyUse(keyId: string, at: number): void
  /** Uncaches the key after the batch, so that refusing it takes as long as refusing an unknown one. */
  evict(digest: string): void
}

/** An error if the subject's stored data is damaged: the request fails alone. */
export type Decided = Decision | Error

/** Decides the requests in order: each sees the charges of those before it. */
export function decideBatch(
  rules: AdmissionRules,
  subjects: BatchSubjects,
  requests: readonly AdmissionRequest[],
  seq: number,
): { readonly decisions: readonly Decided[]; readonly admitted: readonly AdmittedRequest[] } {
  const decisions: Decided[] = []
  const admitted: AdmittedRequest[] = []
  for (const [place, request] of requests.entries()) {
    const decided = decideOne(rules, subjects, request, ticketNumber(seq, place))
    decisions.push(decided)
    if (decided instanceof Error || decided.kind !== 'admitted') continue
    admitted.push(toAdmittedRequest(decided.ticket, request, decided.agent?.key?.id))
  }
  return { decisions, admitted }
}

function decideOne(
  rules: AdmissionRules,
  subjects: BatchSubjects,
  request: AdmissionRequest,
  number: number,
): Decided {
  const { claim } = request
  try {
    if (claim.kind === 'nobody') return toDecision(undefined, undefined, number)
    if (claim.kind === 'agent-key') return decideForAgent(rules, subjects, request, claim.digest(), number)
    const outcome = rules.decideForUser(claim.limits, subjects.userActivity(claim.userId), request)
    if (outcome.kind === 'admit') subjects.chargeUser(claim.userId, outcome.activity)
    return toDecision(outcome, undefined, number)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function decideForAgent(
  rules: AdmissionRules,
  subjects: BatchSubjects,
  request: AdmissionRequest,
  digest: string,
  number: number,
): Decision {
  const agent = subjects.agentOf(digest)
  const before = agent && subjects.agentActivity(agent.no)
  const outcome = rules.decideForAgent(agent, before, request)
  if (outcome.kind === 'unusable') subjects.evict(digest)
  if (agent && outcome.kind === 'admit') {
    const day = dayOf(request.at)
    const counts = rules.countDay(subjects.dayCounts(agent.no, day), before, request)
    subjects.chargeAgent(agent.no, outcome.activity, day, counts)
    if (agent.key) subjects.noteKeyUse(agent.key.id, request.at)
  }
  return toDecision(outcome, agent, number)
}

/** Without an outcome there is no subject to charge. */
function toDecision(
  outcome: RuleOutcome | undefined,
  agent: AgentRecord | undefined,
  number: number,
): Decision {
  if (outcome && outcome.kind !== 'admit') return outcome
  return { kind: 'admitted', ticket: { number, agentNo: agent?.no }, agent, quota: outcome?.quota }
}
