import type { ReadRate, ReadRates } from '#ports/chain/read-rates.ts'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'

export type KeptRates = {
  /** What was read of a history that nobody has completed. Empty after one was completed here. */
  load(): Promise<readonly ReadRate[]>
  /** Keeps what was read, but for rates that may still come in the present epoch. */
  keep(rates: readonly ReadRate[], presentEpoch: number): Promise<void>
  /** The history is complete. Should it be read again, what was kept has led to something unusable. */
  complete(): void
}

type Needs = {
  readonly network: NetworkName
  readonly store: ReadRates
  readonly logger: Logger
  /** Whose word the rates are, where that matters: those of others are not loaded. */
  readonly host: string | undefined
}

/** Without the store a history is read all the same, only from the beginning after a restart. */
export function keepRates({ network, store, logger, host }: Needs): KeptRates {
  const mark = host === undefined ? '' : `${host} `
  let isComplete = false
  const warn = (cause: unknown) =>
    logger.warn('rates of the history cannot be kept', { network, reason: String(cause) })
  return {
    async load() {
      const isAfresh = isComplete
      isComplete = false
      try {
        if (!isAfresh) return ofHost(await store.load(network), mark)
        await store.clear(network)
      } catch (cause) {
        warn(cause)
      }
      return []
    },
    async keep(rates, presentEpoch) {
      const lasting = rates.filter(({ rate, epoch }) => rate !== undefined || epoch < presentEpoch)
      const marked = lasting.map((one) => ({ ...one, tableId: `${mark}${one.tableId}` }))
      await store.add(network, marked).catch(warn)
    },
    complete() {
      isComplete = true
    },
  }
}

/** A sole host goes on where any other stopped. */
const ofHost = (rates: readonly ReadRate[], mark: string): readonly ReadRate[] =>
  mark === ''
    ? rates.map((one) => ({ ...one, tableId: one.tableId.split(' ').at(-1) ?? '' }))
    : rates.flatMap((one) =>
        one.tableId.startsWith(mark) ? [{ ...one, tableId: one.tableId.slice(mark.length) }] : [],
      )
