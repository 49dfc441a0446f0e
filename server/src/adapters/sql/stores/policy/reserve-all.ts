import type { Transaction } from 'kysely'
import type { Reservation, ReserveOutcome, ReserveTerms } from '#ports/stores/reservations.ts'
import type { Fault } from '../../../../fault.ts'
import type { Schema } from '../../schema.ts'
import { useApproval } from './approval-changes.ts'
import type { SealNeeds } from './approval-seal.ts'
import { keepBuild } from './kept-builds.ts'
import { type Booking, book } from './ledger/booking.ts'
import { readLedger } from './ledger/count-reserved.ts'
import type { LedgerSeal } from './ledger/ledger-seal.ts'
import type { Added, LedgerView } from './ledger/ledger-view.ts'
import { movedIn } from './ledger/moved-sums.ts'
import { writeItems } from './reservation-content.ts'

type Agent = { readonly no: number; readonly revision: number | undefined }
type Needs = SealNeeds & { readonly seal: LedgerSeal }

/**
 * Decides the reservations in order, each after those before it, with one read of the ledger and one update of its
 * sums. A fault is the outcome of one reservation only, which is not written. The transaction must have locked the
 * agent, so that nothing changes between the reads.
 */
export async function reserveAll(
  transaction: Transaction<Schema>,
  needs: Needs,
  { no, revision }: Agent,
  batch: readonly ReserveTerms[],
): Promise<readonly (ReserveOutcome | Fault)[]> {
  const current = batch.filter(({ policyRevision }) => policyRevision === revision)
  if (current.length === 0) return batch.map(() => ({ kind: 'policy_changed', revision }))
  const booking = { seal: needs.seal, agentNo: no }
  const bookedAt = current.flatMap(({ at }) => at ?? [])
  const view = await readLedger(
    { db: transaction, ...booking },
    current.map(({ part }) => part),
    bookedAt,
  )
  const outcomes: (ReserveOutcome | Fault)[] = []
  for (const terms of batch)
    outcomes.push(
      terms.policyRevision === revision
        ? await reserveOne(transaction, needs, no, view, terms)
        : { kind: 'policy_changed', revision },
    )
  const hasReadSums = view.added.every(({ at }) => bookedAt.includes(at))
  await insertRows(transaction, booking, view.added)
  await book(transaction, booking, view.added, 1, hasReadSums ? view.sums : undefined)
  return outcomes
}

async function reserveOne(
  transaction: Transaction<Schema>,
  needs: Needs,
  agentNo: number,
  view: LedgerView,
  { part, place, approval, kept }: ReserveTerms,
): Promise<ReserveOutcome | Fault> {
  const windowUse = view.count(part)
  const reservation = place(windowUse)
  if (!reservation) return { kind: 'refused' }
  if (approval && !(await useApproval(transaction, needs, agentNo, approval, reservation)))
    return { kind: 'not_approved' }
  const fault = kept && (await keepBuild(transaction, needs.secrets, agentNo, kept))
  if (fault) return fault
  const { at, epoch, items } = reservation
  view.add({ at, epoch, moved: movedIn(items), reservation, laterAt: windowUse.laterAt })
  return { kind: 'reserved' }
}

async function insertRows(
  transaction: Transaction<Schema>,
  { seal, agentNo }: Booking,
  added: readonly Added[],
): Promise<void> {
  if (added.length === 0) return
  const rows = added.map(({ reservation, laterAt }) => {
    const row = { ...toRow(agentNo, reservation), later_at: laterAt ?? null }
    return { ...row, mac: seal.sealReservation(row) }
  })
  await transaction.insertInto('reservations').values(rows).execute()
}

function toRow(agentNo: number, { id, intentId, at, expiresAt, epoch, sender, items, isSeen }: Reservation) {
  return {
    id,
    intent_id: intentId,
    agent_no: agentNo,
    at,
    expires_at: expiresAt,
    epoch,
    sender: sender ?? null,
    items: writeItems(items),
    state: isSeen ? 'seen' : 'counts',
  }
}
