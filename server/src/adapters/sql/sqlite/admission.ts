import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Admission, AdmissionRules } from '#ports/stores/admission.ts'
import { openGroupCommit } from '../admission/group-commit.ts'
import { MAX_BATCH } from '../audit/batch.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { openAddressHits } from './address-hits.ts'
import { openAuditChain } from './audit/chain.ts'
import type { GroupSize } from './audit/index-agents.ts'
import { isAnonymous, openCommit } from './commit.ts'
import { type JournalSizes, openCounterStore } from './counters/counter-store.ts'
import { foldWhenIdle } from './counters/fold-when-idle.ts'
import { showCounters } from './counters/show-counters.ts'
import type { SqliteStore } from './open.ts'

/** Outcomes and address counts join the next admission; without one they are committed after this delay. */
const LINGER_MS = 20
/** Windows do not advance while the clock is behind the log. Beyond this lag the operator is warned. */
const CLOCK_TOLERANCE_MS = 300_000
/** The journal of counters is folded one to two of these intervals after the last commit that wrote into it. */
const IDLE_MS = 1_000

type Needs = {
  readonly store: SqliteStore
  readonly rules: AdmissionRules
  readonly secrets: Pick<Secrets, 'digest'>
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
  readonly sizes: AdmissionSizes
}

export type AdmissionSizes = {
  readonly journal?: Partial<JournalSizes>
  /** Size of the groups in which the audit log's batches are indexed. */
  readonly indexed?: GroupSize
  /** Upper bound of cached agents, and of cached users. */
  readonly cached: number
}

/** Admission on SQLite. A commit is synchronous; it waits only while another transaction is open. */
export async function openSqliteAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, clock } = needs
  const { commit, foldMore, addresses, counters } = await openParts(needs)
  const folding = foldWhenIdle({
    foldMore: (count) => store.exclusive(() => foldMore(count), 'light'),
    isFolded: counters.isFolded,
    journaledCommits: counters.journaledCommits,
    idleMs: IDLE_MS,
  })
  const { commitWithin, ...group } = openGroupCommit({
    async commit(batch) {
      const durability = isAnonymous(batch) ? 'light' : 'usual'
      const decisions = await store.exclusive(() => commit(batch, clock.now()), durability)
      folding.noteCommit()
      return decisions
    },
    hasMore: () => !addresses.isEmpty(),
    largestBatch: MAX_BATCH,
    mostWaiting: MAX_BATCH,
    lingerMs: 0,
    outcomeLingerMs: LINGER_MS,
    timeoutMs: undefined,
  })
  return {
    ...group,
    noteAddress(count) {
      addresses.note(count)
      commitWithin(LINGER_MS)
    },
    addressCounts: (minuteStart) => store.exclusive(() => addresses.load(minuteStart)),
    async [Symbol.asyncDispose]() {
      await group[Symbol.asyncDispose]()
      await folding[Symbol.asyncDispose]()
    },
  }
}

function openParts({ store, rules, secrets, seal, clock, logger, sizes }: Needs) {
  return store.exclusive((database) => {
    const chain = openAuditChain(database, seal, sizes.indexed)
    // Service continues from the recorded end: the break stays in the log for `audit verify` to find.
    if (!chain.endsAtMark()) logger.warn('the audit log does not end at its sealed end mark')
    const behindMs = (chain.newestAt() ?? 0) - clock.now()
    if (behindMs > CLOCK_TOLERANCE_MS) logger.warn('the clock is behind the audit log', { behindMs })
    const addresses = openAddressHits(database)
    const counters = openCounterStore(database, sizes.journal)
    showCounters(database, counters.newest)
    const parts = { rules, seals: { secrets, logger }, chain, addresses, counters, mostCached: sizes.cached }
    return { addresses, counters, ...openCommit(database, parts) }
  })
}
