import type { AdmissionRequest, AdmissionRules, Decision } from '#ports/admission.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../../fault.ts'
import { type Intent, type Outcome, ticketNumber, toIntent, type WeightedRefusal } from '../audit/batch.ts'
import type { Verdict } from '../sqlite/subjects.ts'
import type { PostgresChain } from './audit-chain.ts'
import { type KnownAgents, openKnownAgents } from './known-agents.ts'
import type { PostgresLane, Session } from './lane.ts'
import type { Statement } from './round-trip.ts'
import { type Asked, readSteps, toFound, type UserCounts, writeSteps } from './subjects.ts'

const DAY_MS = 86_400_000

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }

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
  const known = openKnownAgents()

  async function begin({ send }: Session, asked: Asked) {
    const marks = known.marksOf(asked.digests, asked.days)
    const [, ...answers] = await send([[BEGIN, []], ...readSteps(asked, marks)])
    const found = toFound(asked, answers)
    known.learn(found.agents)
    return found
  }

  async function commit(session: Session, batch: Batch): Promise<readonly Decision[]> {
    const { requests, outcomes, refusals } = batch
    const asked = askedBy(requests, dayOf(clock.now()))
    const { seq, now, transaction, users } = await begin(session, asked)
    const at = clock.follow?.(now)
    const timed = at === undefined ? requests : requests.map((request) => ({ ...request, at }))
    const day = dayOf(clock.now())
    if (!asked.days.includes(day)) throw clockWasWrong()
    if (!chain.knows(day)) chain.learn(day, await session.send(chain.readSteps(day)))
    const intents: Intent[] = []
    const decisions = timed.map((request, place) => {
      const decision = toDecision(decideOne(rules, { known, users }, request), ticketNumber(seq, place))
      if (decision.kind === 'admitted') intents.push(toIntent(decision.ticket, request))
      return decision
    })
    const { steps, end } = chain.append(seq, day, { i: intents, o: outcomes, r: refusals })
    await session.send([...writeSteps(known.changed(), users.values()), ...steps, [COMMIT, []]])
    chain.committed(day, end)
    known.committed(transaction)
    return decisions
  }

  /** Ends soon after the signal, whatever the store does; nobody knows then whether the batch was committed. */
  return async (batch: Batch, signal: AbortSignal): Promise<readonly Decision[]> => {
    const session = await lane.session()
    // Nothing was sent on it: whoever is late leaves it to the next batch.
    signal.throwIfAborted()
    signal.addEventListener('abort', session.drop, { once: true })
    try {
      // It may lead to another server, or to one that was restored: marks there may mean something else.
      if (session.isNew) known.forget()
      return await commit(session, batch)
    } catch (error) {
      session.drop()
      chain.failed()
      known.forget()
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

type Subjects = { readonly known: KnownAgents; readonly users: ReadonlyMap<string, UserCounts> }

/** Each decision stands on those before it in the batch. */
function decideOne(
  rules: AdmissionRules,
  { known, users }: Subjects,
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
  const agent = known.agentOf(claim.digest())
  const counts = known.countsOf(agent)
  const outcome = rules.decideForAgent(agent, counts?.activity, request)
  if (outcome.kind === 'unusable') known.distrust(claim.digest())
  if (counts && outcome.kind === 'admit') {
    const day = dayOf(request.at)
    counts.days.set(day, rules.countDay(counts.days.get(day), counts.activity, request))
    counts.activity = outcome.activity
    known.note(counts, day)
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
