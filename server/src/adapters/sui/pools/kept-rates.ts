import type { ReadRate, ReadRates } from '#ports/chain/read-rates.ts'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'

export type KeptRates = {
  /** The stored rates of an incomplete history. Empty once a history was completed by this process. */
  load(): Promise<readonly ReadRate[]>
  /** Stores what was read, except missing rates that may still be recorded in the present epoch. */
  keep(rates: readonly ReadRate[], presentEpoch: number): Promise<void>
  /**
   * Marks the history as complete. A later `load` means that the stored rates gave an unusable history, so it clears
   * them.
   */
  complete(): void
}

type Needs = {
  readonly network: NetworkName
  readonly store: ReadRates
  readonly logger: Logger
  /** The host that the rates come from; rates of other hosts are not loaded. Undefined with a sole host. */
  readonly host: string | undefined
}

/** Failures of the store are only logged: without it a restart reads the history from the beginning. */
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

/** With a sole host, the stored rates of any host are used. */
const ofHost = (rates: readonly ReadRate[], mark: string): readonly ReadRate[] =>
  mark === ''
    ? rates.map((one) => ({ ...one, tableId: one.tableId.split(' ').at(-1) ?? '' }))
    : rates.flatMap((one) =>
        one.tableId.startsWith(mark) ? [{ ...one, tableId: one.tableId.slice(mark.length) }] : [],
      )
