import type { CurrentPrice } from '#domain/network/price.ts'
import { PRICE_REFRESH_MS } from '#domain/network/price.ts'
import type { RefreshOutcome } from '#domain/network/refresh-network.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import type { Job } from './runner.ts'

type Needs = {
  readonly refreshNetwork: (deadline: AbortSignal) => Promise<RefreshOutcome>
  readonly price: CurrentPrice
  readonly logger: Logger
  readonly meters: Meters
}

/** Every job of the service, in one list. */
export function scheduleJobs({ refreshNetwork, price, logger, meters }: Needs): readonly Job[] {
  return [
    {
      name: 'watch-network',
      everyMs: 5_000,
      deadlineMs: 8_000,
      async run(deadline) {
        const outcome = await refreshNetwork(deadline)
        if (outcome.kind === 'refused') {
          logger.warn('snapshot refused', { reason: outcome.reason })
          meters.snapshotRefused(outcome.reason)
          return
        }
        meters.snapshotAccepted(outcome.epoch, outcome.checkpointAt)
      },
    },
    {
      name: 'watch-price',
      everyMs: PRICE_REFRESH_MS,
      deadlineMs: 8_000,
      run: (deadline) => price.refresh(deadline),
    },
  ]
}
