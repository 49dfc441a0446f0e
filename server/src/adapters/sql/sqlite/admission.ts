import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Admission, AdmissionRules } from '#ports/stores/admission.ts'
import { openGroupCommit } from '../admission/group-commit.ts'
import { MAX_BATCH } from '../audit/batch.ts'
import type { AuditSeal } from '../audit/seal.ts'
import { openAddressHits } from './address-hits.ts'
import { openAuditChain } from './audit/chain.ts'
import { isAnonymous, openCommit } from './commit.ts'
import type { SqliteStore } from './open.ts'

/** Outcomes and address counts join the next admission; without one they are committed after this delay. */
const LINGER_MS = 20
/** Windows do not advance while the clock is behind the log: from this delay on the operator is warned. */
const CLOCK_TOLERANCE_MS = 300_000

type Needs = {
  readonly store: SqliteStore
  readonly rules: AdmissionRules
  readonly secrets: Pick<Secrets, 'digest'>
  readonly seal: AuditSeal
  readonly clock: Clock
  readonly logger: Logger
}

/** Admission on SQLite. A commit is synchronous; it waits only while another transaction is open. */
export async function openSqliteAdmission(needs: Needs): Promise<Admission & AsyncDisposable> {
  const { store, clock } = needs
  const { commit, addresses } = await openParts(needs)
  const { commitWithin, ...group } = openGroupCommit({
    commit: (batch) =>
      store.exclusive(() => commit(batch, clock.now()), isAnonymous(batch) ? 'light' : 'usual'),
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
  }
}

function openParts({ store, rules, secrets, seal, clock, logger }: Needs) {
  return store.exclusive((database) => {
    const chain = openAuditChain(database, seal)
    // Service continues from the recorded end: the break stays in the log for `audit verify` to find.
    if (!chain.endsAsLeft()) logger.warn('the audit log does not end where this service has left it')
    const behindMs = (chain.newestAt() ?? 0) - clock.now()
    if (behindMs > CLOCK_TOLERANCE_MS) logger.warn('the clock is behind the audit log', { behindMs })
    const addresses = openAddressHits(database)
    return {
      addresses,
      commit: openCommit(database, { rules, seals: { secrets, logger }, chain, addresses }),
    }
  })
}
