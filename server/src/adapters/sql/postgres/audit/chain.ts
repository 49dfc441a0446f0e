import { type AuditBatch, chainHash } from '../../audit/batch.ts'
import { CHAINS_MARK, type ChainId, endMarkName, withChain } from '../../audit/chains.ts'
import { EMPTY_MARK, isSameMark, type Mark, markText } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { lockStatement } from '../../lock-order.ts'
import type { Statement, Step } from '../connections/round-trip.ts'

const WRITE_MARK_TEXT = `insert into audit_marks (name, no, hash, mac) values ($1, $2, $3, $4)
  on conflict (name) do update set no = excluded.no, hash = excluded.hash, mac = excluded.mac`
/**
 * Inserts the batch and the chain's new end in one statement. The unique place in the
 * chain lets only one of two commits succeed that began at the same end, e.g. after a timeout.
 */
const APPEND: Statement = {
  name: 'append-batch',
  text: `with batch as (
      insert into audit_batches (seq, day, instance, place, hash, body)
      values ($5::bigint, $6::integer, $7, $2::bigint, $3, $8)
    ) ${WRITE_MARK_TEXT}`,
}
const WRITE_MARK: Statement = { name: 'write-mark', text: WRITE_MARK_TEXT }
const LOCK_CHAINS: Statement = { name: 'lock-chains', text: lockStatement('audit chains') }
const READ_MARK: Statement = {
  name: 'read-mark',
  text: 'select json_build_array(no, hash) from audit_marks where name = $1',
}

type CachedEnd = {
  readonly day: number
  readonly end: Mark
  /** The mark of all chains, if this chain has to be added to it. */
  readonly others: Mark | undefined
}

type Needs = { readonly instance: string; readonly seal: AuditSeal }

/** The end of this instance's chain in the shared log. Batch numbers are unique over all instances. */
export function openPostgresChain({ instance, seal }: Needs) {
  let known: CachedEnd | undefined
  const chainOf = (day: number): ChainId => ({ instance, day })
  const toValues = (name: string, mark: Mark) => [name, mark.no, mark.hash, seal.mac(markText(name, mark))]
  return {
    /** False for the first batch of a day, and after a failed commit. */
    knows: (day: number): boolean => known?.day === day,
    /** Reads the marks needed to append to a chain whose end is not cached. */
    readSteps: (day: number): readonly Step[] => [
      [LOCK_CHAINS, []],
      [READ_MARK, [endMarkName(chainOf(day))]],
      [READ_MARK, [CHAINS_MARK]],
    ],
    /** Reads the end mark of a day's chain. */
    readEndSteps: (day: number): readonly Step[] => [[READ_MARK, [endMarkName(chainOf(day))]]],
    /** Whether the answer to `readEndSteps` equals this end. */
    isAt(answer: unknown, end: Mark): boolean {
      return isSameMark(toMark(answer), end)
    },
    /** Caches the answers to `readSteps`. */
    learn(day: number, [, end, chains]: readonly unknown[]): void {
      const others = end ? undefined : toMark(chains)
      known = { day, end: toMark(end), others }
    },
    append(seq: number, day: number, batch: AuditBatch) {
      const { end: before, others } = known ?? { end: EMPTY_MARK, others: undefined }
      const body = JSON.stringify(batch)
      const hash = chainHash(before.hash, seq, day, body)
      const end: Mark = { no: before.no + 1, hash }
      const mark = toValues(endMarkName(chainOf(day)), end)
      const steps: Step[] = [[APPEND, [...mark, seq, day, instance, body]]]
      if (others) steps.push([WRITE_MARK, toValues(CHAINS_MARK, withChain(others, chainOf(day), seal))])
      return { steps, end }
    },
    committed(day: number, end: Mark): void {
      known = { day, end, others: undefined }
    },
    failed(): void {
      known = undefined
    },
  }
}

/** `READ_MARK` answers in this form. */
function toMark(answer: unknown): Mark {
  const [no, hash] = (answer ?? [EMPTY_MARK.no, EMPTY_MARK.hash]) as [no: number, hash: string]
  return { no, hash }
}

export type PostgresChain = ReturnType<typeof openPostgresChain>
