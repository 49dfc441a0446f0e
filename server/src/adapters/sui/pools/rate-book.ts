import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { ReadRate } from '#ports/chain/read-rates.ts'
import type { Pool, RateTable } from '../chain-reader.ts'
import { type Conversation, chunk } from '../connection/conversation.ts'
import { check } from '../layouts/decode.ts'
import { FLAT, type Rate } from './share-math.ts'

const LOOK_BACK = 50
/** Rates are small: many fit into one answer. */
const RATES_PER_CALL = 500

/**
 * A cache of exchange rates by pool and epoch. The object id of a table entry is derived from the table and the
 * key, so entries are read directly. A recorded rate never changes, so the cache is shared by several
 * conversations.
 */
export function openRateBook(
  table: RateTable,
  known: readonly ReadRate[] = [],
  keep?: (rates: readonly ReadRate[]) => Promise<void>,
) {
  const entries = new Map<string, Rate | undefined>(
    known.map(({ tableId, epoch, rate }) => [`${tableId}/${epoch}`, rate]),
  )
  const keyOf = (pool: Pool, epoch: number) => `${pool.ratesTableId}/${epoch}`

  async function load(talk: Conversation, wanted: readonly { pool: Pool; epochs: readonly number[] }[]) {
    const missing = wanted.flatMap(({ pool, epochs }) =>
      pool.activationEpoch === undefined
        ? []
        : epochs.filter((epoch) => !entries.has(keyOf(pool, epoch))).map((epoch) => ({ pool, epoch })),
    )
    // The result of each call is stored before the next call, so that a read that fails later resumes there.
    for (const part of chunk(missing, RATES_PER_CALL)) await loadPart(talk, part)
  }

  async function loadPart(talk: Conversation, part: readonly { pool: Pool; epoch: number }[]) {
    const ids = part.map(({ pool, epoch }) =>
      deriveDynamicFieldID(pool.ratesTableId, table.keyType, table.encodeKey(epoch)),
    )
    const found = await talk.objects(ids, RATES_PER_CALL)
    const read = part.map(({ pool, epoch }, index) => {
      const contents = found[index]?.contents
      const entry = contents && table.decodeEntry(contents)
      check(
        entry === undefined || entry.epoch === epoch,
        `the rate of epoch ${epoch} is that of another epoch`,
      )
      entries.set(keyOf(pool, epoch), entry?.rate)
      return { tableId: pool.ratesTableId, epoch, rate: entry?.rate }
    })
    await keep?.(read)
  }

  return {
    includesJoining: table.includesJoining,
    load,

    /** Forgets missing entries, which may have been recorded since. */
    forgetMissing() {
      for (const [key, rate] of entries) if (rate === undefined) entries.delete(key)
    },

    /** The rate recorded in exactly this epoch; undefined when the pool was out of the committee. */
    recorded: (pool: Pool, epoch: number): Rate | undefined => entries.get(keyOf(pool, epoch)),

    /** The newest rate recorded up to an epoch, back to the pool's activation; none means flat. */
    async rateAt(talk: Conversation, pool: Pool, epoch: number): Promise<Rate> {
      if (pool.activationEpoch === undefined) return FLAT
      let last = Math.min(epoch, pool.lastEpoch ?? epoch)
      for (let window = 1; last >= pool.activationEpoch; window = LOOK_BACK) {
        const first = Math.max(pool.activationEpoch, last - window + 1)
        const epochs = countDown(last, first)
        await load(talk, [{ pool, epochs }])
        const newest = epochs.find((candidate) => entries.get(keyOf(pool, candidate)) !== undefined)
        if (newest !== undefined) return entries.get(keyOf(pool, newest)) ?? FLAT
        last = first - 1
      }
      return FLAT
    },
  }
}

export type RateBook = ReturnType<typeof openRateBook>

function countDown(from: number, to: number): readonly number[] {
  return Array.from({ length: from - to + 1 }, (_, step) => from - step)
}
