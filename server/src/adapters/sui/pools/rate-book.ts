import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { ReadRate } from '#ports/chain/read-rates.ts'
import type { Pool, RateTable } from '../chain-reader.ts'
import { type Conversation, chunk } from '../connection/conversation.ts'
import { check } from '../layouts/decode.ts'
import { FLAT, type Rate } from './share-math.ts'

/** Size of the second window when searching back; each further window is twice as large. */
const SECOND_WINDOW = 50
/** Rates are small, so many fit into one answer. */
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
    const missing = new Map<string, PoolEpoch>()
    for (const { pool, epochs } of wanted) {
      if (pool.activationEpoch === undefined) continue
      for (const epoch of epochs) {
        const key = keyOf(pool, epoch)
        if (!entries.has(key)) missing.set(key, { pool, epoch })
      }
    }
    // The result of each call is stored before the next call, so that a read that fails later resumes there.
    for (const part of chunk([...missing.values()], RATES_PER_CALL)) await loadPart(talk, part)
  }

  async function loadPart(talk: Conversation, part: readonly PoolEpoch[]) {
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

  /** Searches back from each epoch until a rate is found, for all pools in the same calls. */
  async function loadBack(talk: Conversation, wanted: readonly PoolEpoch[]): Promise<void> {
    let open = wanted
    for (let window = 1; open.length > 0; window = Math.max(SECOND_WINDOW, 2 * window)) {
      const spans = open.map(({ pool, epoch }) => ({
        pool,
        epochs: spanBefore(pool, epoch).slice(0, window),
      }))
      await load(talk, spans)
      open = spans.flatMap(({ pool, epochs }) => {
        const [last] = epochs.slice(-1)
        return last === undefined || newestOf(pool, epochs) ? [] : [{ pool, epoch: last - 1 }]
      })
    }
  }

  const newestOf = (pool: Pool, epochs: readonly number[]): Rate | undefined => {
    for (const epoch of epochs) {
      const rate = entries.get(keyOf(pool, epoch))
      if (rate !== undefined) return rate
    }
    return undefined
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

    /** The newest rate recorded up to each epoch, back to the pool's activation; none means flat. */
    async ratesAt(talk: Conversation, wanted: readonly PoolEpoch[]): Promise<readonly Rate[]> {
      // Many tokens of one owner have the same pool and epoch.
      const distinct = new Map(wanted.map((one) => [keyOf(one.pool, one.epoch), one]))
      await loadBack(talk, [...distinct.values()])
      const rates = new Map<string, Rate>()
      for (const [key, { pool, epoch }] of distinct)
        rates.set(key, newestOf(pool, spanBefore(pool, epoch)) ?? FLAT)
      return wanted.map(({ pool, epoch }) => rates.get(keyOf(pool, epoch)) ?? FLAT)
    },
  }
}

export type RateBook = ReturnType<typeof openRateBook>

type PoolEpoch = { readonly pool: Pool; readonly epoch: number }

/** The epochs up to one in which the pool can have recorded a rate, the newest first. */
function spanBefore({ activationEpoch, lastEpoch }: Pool, epoch: number): readonly number[] {
  if (activationEpoch === undefined) return []
  const newest = Math.min(epoch, lastEpoch ?? epoch)
  return Array.from({ length: Math.max(0, newest - activationEpoch + 1) }, (_, step) => newest - step)
}
