import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Admission, AdmissionRules } from '#ports/stores/admission.ts'
import { dayOf } from '../../../durations.ts'
import { openGroupCommit } from '../admission/group-commit.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { openPostgresChain } from './audit/chain.ts'
import { openAuditIndex } from './audit/index-agents.ts'
import { openIndexing } from './audit/indexing.ts'
import { openPostgresCommit } from './commit.ts'
import { openDedicatedConnection } from './connections/dedicated-connection.ts'
import { isMissingPartition } from './errors.ts'
import type { PostgresStore } from './open.ts'

/** How long a commit waits for returning callers; the commit itself takes several times as long. */
const LINGER_MS = 1
/**
 * Longer than a busy client pauses between requests, so that outcomes join its next admission: a commit of
 * outcomes alone costs as much as a full one.
 */
const OUTCOME_LINGER_MS = 100
const LARGEST_BATCH = 1_000
const MAX_WAITING = 16_384

type Needs = {
  readonly store: PostgresStore
  readonly rules: AdmissionRules
  readonly secrets: Pick<Secrets, 'digest'>
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
  /** Id of this process's chain in the audit log; unique among all processes. */
  readonly instance: string
}

/**
 * Admission for many instances on one Postgres. Rows are locked while a batch is decided, so limits are exact
 * over all instances, and the store's clock determines the window.
 */
export async function openPostgresAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, rules, secrets, seal, clock, logger, instance } = needs
  const { auditDays, timeouts } = store
  const today = () => dayOf(clock.now())
  await auditDays.prepareAhead(today())
  await using opened = new AsyncDisposableStack()
  const dedicated = opened.use(openDedicatedConnection(store))
  const chain = openPostgresChain({ instance, seal })
  const indexing = opened.use(openIndexing({ index: openAuditIndex(store.db, seal), instance, logger }))
  const { commit, hasMore, keepsNotes } = openPostgresCommit({
    dedicated,
    rules,
    seals: { secrets, logger },
    chain,
    indexing,
    clock,
  })
  const { commitWithin: _, ...group } = opened.use(
    openGroupCommit({
      async commit(batch, late) {
        await auditDays.ensure(today())
        try {
          return await commit(batch, late)
        } catch (error) {
          if (isMissingPartition(error)) auditDays.clearCache()
          throw error
        }
      },
      hasMore,
      keepsNotes,
      largestBatch: LARGEST_BATCH,
      mostWaiting: MAX_WAITING,
      lingerMs: LINGER_MS,
      outcomeLingerMs: OUTCOME_LINGER_MS,
      // Timeouts of a connection and of one statement: a request is refused within a second, whatever the
      // store does.
      timeoutMs: timeouts.connectMs + timeouts.statementMs,
    }),
  )
  const resources = opened.move()
  return {
    ...group,
    // Addresses are counted over all instances by the traffic counters.
    noteAddress() {},
    addressCounts: async () => [],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
