import type { AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'
import type { Verdict } from './admission-subjects.ts'
import { type Intent, type Outcome, ticketNumber, toIntent, type WeightedRefusal } from './audit-batch.ts'
import type { PostgresChain } from './postgres-audit-chain.ts'
import type { PostgresLane, Session } from './postgres-lane.ts'
import type { Statement } from './postgres-round-trip.ts'
import { type Asked, type PostgresSubjects, readSteps, toSubjects, writeSteps } from './postgres-subjects.ts'

const DAY_MS = 86_400_000

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }
/** After the locks: whoever waited for one must not be early. */
const NUMBER: Statement = {
  name: 'number',
  text: `select json_build_array(nextval('audit_seq'),
    floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`,
}

/** What one commit decides and notes. */
export type Batch = {
  readonly requests: readonly AdmissionRequest[]
  readonly outcomes: readonly Outcome[]
  readonly refusals: readonly WeightedRefusal[]
}

type Needs = {
  readonly lane: PostgresLane
  readonly rules: AdmissionRules
  readonly chain: PostgresChain
  readonly clock: Clock
}

/**
 * Decides a batch in one transaction of two round trips: lock and read, then write and commit. Between them the rules
 * decide. The first batch of a day takes one more, to begin a chain of the log. Returns the decisions once they are
 * committed; when it throws, nobody was let in.
 */
export function openPostgresCommit({ lane, rules, chain, clock }: Needs) {
  async function begin({ send }: Session, asked: Asked) {
    const [, ...answers] = await send([[BEGIN, []], ...readSteps(asked), [NUMBER, []]])
    return { subjects: toSubjects(asked, answers), ...toNumber(answers.at(-1)) }
  }

  async function commit(session: Session, batch: Batch): Promise<readonly Decision[]> {
    const { requests, outcomes, refusals } = batch
    const asked = askedBy(requests, dayOf(clock.now()))
    const { subjects, seq, now } = await begin(session, asked)
    const at = clock.follow?.(now)
    const timed = at === undefined ? requests : requests.map((request) => ({ ...request, at }))
    const day = dayOf(clock.now())
    if (!asked.days.includes(day)) throw clockWasWrong()
    if (!chain.knows(day)) chain.learn(day, await session.send(chain.readSteps(day)))
    const intents: Intent[] = []
    const decisions = timed.map((request, place) => {
      const decision = toDecision(decideOne(rules, subjects, request), ticketNumber(seq, place))
      if (decision.kind === 'admitted') intents.push(toIntent(decision.ticket, request))
      return decision
    })
    const { steps, end } = chain.append(seq, day, { i: intents, o: outcomes, r: refusals })
    await session.send([...writeSteps(subjects), ...steps, [COMMIT, []]])
    chain.committed(day, end)
    return decisions
  }

  /** Ends soon after the signal, whatever the store does; nobody knows then whether the batch was committed. */
  return async (batch: Batch, signal: AbortSignal): Promise<readonly Decision[]> => {
    const session = await lane.session()
    signal.addEventListener('abort', session.drop, { once: true })
    try {
      signal.throwIfAborted()
      return await commit(session, batch)
    } catch (error) {
      session.drop()
      chain.failed()
      throw error
    } finally {
      signal.removeEventListener('abort', session.drop)
    }
  }
}

const dayOf = (moment: number): number => Math.floor(moment / DAY_MS)

/** Days beside today's too: the store's clock decides, and it may be in another one. */
function askedBy(requests: readonly AdmissionRequest[], today: number): Asked {
  const digests = new Set<string>()
  const userIds = new Set<string>()
  const days = new Set([today - 1, today, today + 1])
  for (const { claim, at } of requests) {
    if (claim.kind === 'agent-key') digests.add(claim.digest())
    if (claim.kind === 'user') userIds.add(claim.userId)
    days.add(dayOf(at))
  }
  return { digests: [...digests], userIds: [...userIds], days: [...days] }
}

/** Guaranteed by the statement. */
function toNumber(answer: unknown): { seq: number; now: number } {
  const [seq, now] = answer as [seq: number, now: number]
  return { seq, now }
}

/** Each decision stands on those before it in the batch. */
function decideOne(
  rules: AdmissionRules,
  { keys, users }: PostgresSubjects,
  request: AdmissionRequest,
): Verdict | undefined {
  const { claim } = request
  if (claim.kind === 'nobody') return undefined
  if (claim.kind === 'user') {
    const user = users.get(claim.userId)
    const outcome = rules.decideForUser(claim.limits, user?.activity, request)
    if (user && outcome.kind === 'admit') {
      user.activity = outcome.activity
      user.isChanged = true
    }
    return { outcome, agent: undefined }
  }
  const { agent, counts } = keys.get(claim.digest()) ?? {}
  const outcome = rules.decideForAgent(agent, counts?.activity, request)
  if (counts && outcome.kind === 'admit') {
    const day = dayOf(request.at)
    counts.days.set(day, rules.countDay(counts.days.get(day), counts.activity, request))
    counts.changed.add(day)
    counts.activity = outcome.activity
  }
  return { outcome, agent }
}

function toDecision(verdict: Verdict | undefined, number: number): Decision {
  if (!verdict) {
    return { kind: 'admitted', ticket: { number, agentNo: undefined }, agent: undefined, quota: undefined }
  }
  const { outcome, agent } = verdict
  if (outcome.kind !== 'admit') return outcome
  return { kind: 'admitted', ticket: { number, agentNo: agent?.no }, agent, quota: outcome.quota }
}

/** It is right by now: the store has told the time. */
const clockWasWrong = () =>
  new Fault('store_not_ready', 'The clock of this instance was wrong; try again.', { retryAfterSeconds: 1 })
