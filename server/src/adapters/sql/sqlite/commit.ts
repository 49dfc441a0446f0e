import type { DatabaseSync } from 'node:sqlite'
import type { AdmissionRules } from '#ports/stores/admission.ts'
import { type Decided, decideBatch } from '../admission/decide.ts'
import type { Batch } from '../admission/group-commit.ts'
import type { SealCheck } from '../admission/rows.ts'
import type { openAddressHits } from './address-hits.ts'
import type { AuditChain } from './audit/chain.ts'
import { watchRows } from './changed-rows.ts'
import type { CounterStore } from './counters/counter-store.ts'
import { openSubjects } from './subjects.ts'
import { waitForLockOnce } from './wait-for-lock.ts'

type Needs = {
  readonly seals: SealCheck
  readonly rules: AdmissionRules
  readonly chain: AuditChain
  readonly addresses: ReturnType<typeof openAddressHits>
  readonly counters: CounterStore
  readonly mostCached: number
}

/**
 * `commit` decides a batch in one transaction; returns the decisions after its commit. When it throws, the caches are
 * reset and the store rolls back. `foldMore` folds some of the journal of counters in a transaction of its own.
 */
export function openCommit(database: DatabaseSync, needs: Needs) {
  const { rules, seals, chain, addresses, counters, mostCached } = needs
  const subjects = openSubjects(database, seals, counters, mostCached)
  const rows = watchRows(database)
  const waitOnce = waitForLockOnce(database)
  const begin = database.prepare('begin immediate')
  const end = database.prepare('commit')

  function commit({ requests, outcomes, refusals }: Batch, at: number): readonly Decided[] {
    begin.run()
    subjects.drop(rows.take())
    subjects.read(requests)
    const { decisions, admitted } = decideBatch(rules, subjects, requests, chain.nextSeq())
    // After some read errors SQLite rolls back by itself: later writes would then be committed one by one.
    if (!database.isTransaction) throw new Error('SQLite has rolled the transaction back')
    const newest = chain.append(at, { i: admitted, o: outcomes, r: refusals })
    subjects.write(newest.no)
    addresses.write()
    rows.ignoreOwn()
    end.run()
    chain.committed(newest)
    subjects.committed()
    addresses.committed()
    return decisions
  }

  function foldMore(count: number): void {
    begin.run()
    subjects.drop(rows.take())
    counters.foldMore(count)
    rows.ignoreOwn()
    end.run()
    counters.committed()
  }

  return {
    commit(batch: Batch, at: number): readonly Decided[] {
      try {
        return waitOnce(() => commit(batch, at))
      } catch (error) {
        chain.failed()
        subjects.forget()
        throw error
      }
    },
    foldMore: (count: number): void => waitOnce(() => foldMore(count)),
  }
}

/** Whether the batch concerns no key and no quota: only public reads, outcomes and refusals. */
export const isAnonymous = ({ requests }: Batch): boolean =>
  requests.every(({ claim }) => claim.kind === 'nobody')
