import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'
import type { ChainReader } from '../chain-reader.ts'
import { forRefresh } from '../connection/attempt.ts'
import type { Endpoints } from '../connection/endpoints.ts'
import { check } from '../layouts/decode.ts'
import { readEpochRecords } from './epoch-records.ts'
import type { KeptRates } from './kept-rates.ts'
import type { PastCommissions } from './past-commissions.ts'
import { openRateBook, type RateBook } from './rate-book.ts'

/** Upper bound of epochs to read at once. */
const MAX_EPOCHS = 2_000

/** No total deadline: history takes many calls, each with its own deadline, and only the caller's signal limits them. */
const NO_TOTAL_MS = 2 ** 31 - 1

type Needs = {
  readonly endpoints: Endpoints
  readonly reader: ChainReader
  /** Stores the rates read from a host, for restarts. With a sole host, stored rates of any host are used. */
  readonly keepRatesOf: (host: string | undefined) => KeptRates | undefined
  readonly commissionsFrom: PastCommissions
  readonly logger: Logger
}

type Reading = {
  readonly host: string
  readonly fromEpoch: number
  readonly epoch: number
  readonly records: readonly EpochRecord[]
}

/**
 * Reads past epochs. With several hosts, two must agree, because the history is stored for good. The answer of one host
 * is kept until another has answered; if no two agree, the next call asks all again.
 */
export function agreedEpochs({ endpoints, reader, keepRatesOf, commissionsFrom, logger }: Needs) {
  const isAlone = endpoints.hostCount === 1
  const books = new Map<string, { readonly book: RateBook; readonly kept: KeptRates | undefined }>()
  let readings: readonly Reading[] = []
  let presentEpoch = 0

  async function bookOf(host: string): Promise<RateBook> {
    const name = isAlone ? '' : host
    const known = books.get(name)
    if (known) return known.book
    const kept = keepRatesOf(isAlone ? undefined : host)
    const keep = kept && ((rates: Parameters<KeptRates['keep']>[0]) => kept.keep(rates, presentEpoch))
    const book = openRateBook(reader.rateTable, await kept?.load(), keep)
    books.set(name, { book, kept })
    return book
  }

  const readFromNext = (fromEpoch: number, deadline: AbortSignal): Promise<Reading> =>
    endpoints.ask(
      {
        ...forRefresh(async (talk) => {
          const book = await bookOf(talk.host)
          const { snapshot, pools } = await reader.readState(talk)
          const { epoch } = snapshot
          check(epoch.number - fromEpoch <= MAX_EPOCHS, `epoch ${epoch.number} is too far from ${fromEpoch}`)
          presentEpoch = epoch.number
          const commissionIn = await commissionsFrom(fromEpoch)
          const records = await readEpochRecords(talk, book, pools, epoch, fromEpoch, commissionIn)
          return { host: talk.host, fromEpoch, epoch: epoch.number, records }
        }),
        except: new Set(readings.map(({ host }) => host)),
      },
      deadline,
      NO_TOTAL_MS,
    )

  function finish(): void {
    for (const { kept } of books.values()) kept?.complete()
    books.clear()
    readings = []
  }

  return async (fromEpoch: number, deadline: AbortSignal): Promise<readonly EpochRecord[]> => {
    readings = readings.filter((one) => one.fromEpoch === fromEpoch)
    while (readings.length < endpoints.hostCount) {
      const reading = await readFromNext(fromEpoch, deadline)
      readings = readings.filter(({ epoch }) => epoch === reading.epoch)
      if (isAlone || readings.some((other) => isSameReading(other, reading))) {
        finish()
        return reading.records
      }
      readings = [...readings, reading]
    }
    logger.warn('nodes disagree about past epochs', {
      hosts: readings.map(({ host }) => host).join(),
      fromEpoch,
    })
    finish()
    throw new Fault('rpc_unavailable', 'The chain nodes do not agree about past epochs; try again shortly.')
  }
}

/**
 * Compares without end times, which depend on the start of the present epoch; Walrus lacks it during an epoch change.
 */
const isSameReading = (one: Reading, other: Reading): boolean => contentOf(one) === contentOf(other)

const contentOf = ({ records }: Reading): string =>
  records
    .map(({ validatorId, epoch, rate, stake, commissionBps, performed }) =>
      [validatorId, epoch, rate.tokens, rate.shares, stake, commissionBps, performed].join(),
    )
    .sort()
    .join('\n')
