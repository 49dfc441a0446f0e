import type { Clock } from '#ports/clock.ts'
import type { AdmissionRequest, AdmissionRules } from '#ports/stores/admission.ts'
import { dayOf } from '../../../durations.ts'
import { type BatchSubjects, type Decided, decideBatch } from '../admission/decide.ts'
import type { Batch } from '../admission/group-commit.ts'
import type { Notes } from '../admission/pending-notes.ts'
import type { SealCheck } from '../admission/rows.ts'
import type { Mark } from '../audit/marks.ts'
import { type AgentCache, openAgentCache } from './agent-cache.ts'
import type { PostgresChain } from './audit/chain.ts'
import type { Indexing } from './audit/indexing.ts'
import type { DedicatedConnection, Session } from './connections/dedicated-connection.ts'
import type { Statement } from './connections/round-trip.ts'
import { isRolledBack } from './errors.ts'
import { readSteps, toFound } from './read-subjects.ts'
import type { SubjectKeys, UserCounts } from './subjects.ts'
import { writeSteps } from './write-subjects.ts'

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }
const NO_NOTES: Notes = { outcomes: [], refusals: [] }

/** A commit whose acknowledgement was lost: the chain's end if it was committed, and its notes. */
type UnknownCommit = { readonly day: number; readonly end: Mark; readonly notes: Notes }

type Needs = {
  readonly dedicated: DedicatedConnection
  readonly rules: AdmissionRules
  readonly seals: SealCheck
  readonly chain: PostgresChain
  readonly indexing: Pick<Indexing, 'committed'>
  readonly clock: Clock
}

/**
 * Decides a batch in one transaction of two round trips: lock and read, then write and commit; the rules
 * decide in between. One more reads the chain's end, for the first batch of a day or after a failure, and one
 * more checks a previous commit of unknown outcome. Returns the decisions after the commit; when it throws,
 * no request was admitted.
 */
export function openPostgresCommit({ dedicated, rules, seals, chain, indexing, clock }: Needs) {
  const agentCache = openAgentCache()
  let unknown: UnknownCommit | undefined
  let keepsNotes = false

  async function begin({ send }: Session, keys: SubjectKeys) {
    const versions = agentCache.versionsOf(keys.digests)
    const [, ...answers] = await send([[BEGIN, []], ...readSteps(keys, versions)])
    const found = toFound(keys, answers, seals)
    agentCache.learn(found.agents)
    return found
  }

  /** The notes of a commit of unknown outcome, if it was not committed; this commit records them. */
  async function recoverNotes({ send }: Session): Promise<Notes> {
    if (!unknown) return NO_NOTES
    const [end] = await send(chain.readEndSteps(unknown.day))
    return chain.isAt(end, unknown.end) ? NO_NOTES : unknown.notes
  }

  async function write(session: Session, batch: Batch): Promise<readonly Decided[]> {
    const keys = keysOf(batch.requests)
    const { seq, now, users } = await begin(session, keys)
    const at = clock.follow?.(now)
    const requests = at === undefined ? batch.requests : batch.requests.map((each) => ({ ...each, at }))
    const day = dayOf(clock.now())
    const recovered = await recoverNotes(session)
    if (!chain.knows(day)) chain.learn(day, await session.send(chain.readSteps(day)))
    const { decisions, admitted } = decideBatch(rules, subjectsOf(agentCache, users), requests, seq)
    const outcomes = [...recovered.outcomes, ...batch.outcomes]
    const refusals = [...recovered.refusals, ...batch.refusals]
    const entries = { i: admitted, o: outcomes, r: refusals }
    const { steps, end } = chain.append(seq, day, entries)
    try {
      await session.send([
        ...writeSteps(seq, agentCache.changed(), users.values(), agentCache.keyUses()),
        ...steps,
        [COMMIT, []],
      ])
    } catch (error) {
      keepsNotes = !isRolledBack(error)
      if (keepsNotes) unknown = { day, end, notes: { outcomes, refusals } }
      throw error
    }
    unknown = undefined
    chain.committed(day, end)
    indexing.committed(day, entries)
    agentCache.committed(seq)
    return decisions
  }

  return {
    /** Ends soon after `late` is aborted, whatever the store does; the outcome may then be unknown. */
    async commit(batch: Batch, late: AbortSignal | undefined): Promise<readonly Decided[]> {
      keepsNotes = false
      const session = await dedicated.session()
      // Nothing was sent yet, so the connection stays usable for the next batch.
      late?.throwIfAborted()
      late?.addEventListener('abort', session.drop, { once: true })
      try {
        // A new connection may reach another or a restored server, where cached versions may mean other rows.
        if (session.isNew) agentCache.forget()
        return await write(session, batch)
      } catch (error) {
        session.drop()
        chain.failed()
        agentCache.forget()
        throw error
      } finally {
        late?.removeEventListener('abort', session.drop)
      }
    },
    hasMore: () => unknown !== undefined,
    keepsNotes: () => keepsNotes,
  }
}

function keysOf(requests: readonly AdmissionRequest[]): SubjectKeys {
  const digests = new Set<string>()
  const userIds = new Set<string>()
  for (const { claim } of requests) {
    if (claim.kind === 'agent-key') digests.add(claim.digest())
    if (claim.kind === 'user') userIds.add(claim.userId)
  }
  return { digests: [...digests], userIds: [...userIds] }
}

function subjectsOf(agentCache: AgentCache, users: ReadonlyMap<string, UserCounts>): BatchSubjects {
  return {
    ...agentCache,
    userActivity: (userId) => users.get(userId)?.activity,
    chargeUser(userId, activity) {
      const user = users.get(userId)
      if (user) Object.assign(user, { activity, isChanged: true })
    },
  }
}
