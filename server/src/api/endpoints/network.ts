import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { CurrentPrice } from '#domain/network/price.ts'
import { epochsPerYear } from '#domain/network/year.ts'
import { CONSTANTS, EXAMPLE, FORMULAS } from '#domain/staking/scoring/published-rules.ts'
import { SCORING } from '#domain/staking/scoring/scoring-rules.ts'
import type { Clock } from '#ports/clock.ts'
import { toIso } from '../../basics/iso-time.ts'
import { conditional, prepare, prepareAged, prepareChanging, share } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { toHistoryState, toNextChangeAt } from './shapes.ts'

/** How long caches may treat the answers as fresh. */
const FRESH_SECONDS = { epoch: 1, price: 30, scoring: 3600 }
/** Older data are still served, but health reports `degraded`. */
const DEGRADED_AFTER_SECONDS = 60

type Needs = {
  readonly network: CurrentNetwork
  readonly price: CurrentPrice
  readonly clock: Clock
  readonly version: string
}

/** The present state of the network and the service. */
export function networkEndpoints({ network, price, clock, version }: Needs) {
  const rules = {
    scoreVersion: SCORING.version,
    weights: SCORING.weights,
    gates: Object.entries(SCORING.gates).map(([name, rule]) => ({ name, rule })),
    windows: SCORING.windows,
    constants: CONSTANTS,
    formulas: FORMULAS,
    example: EXAMPLE,
  }
  const scoring = share(prepare(rules, FRESH_SECONDS.scoring))
  return {
    epoch: {
      requires: 'data',
      handle: (_, { hasVersion }) => {
        const view = network.read()
        const { number, startedAt, durationMs, nextCommitteeSelected } = view.snapshot.epoch
        const elapsedMs = Math.max(0, clock.now() - startedAt)
        const body = {
          epoch: number,
          startTimestampMs: startedAt,
          endTimestampMs: startedAt + durationMs,
          durationMs,
          elapsedMs,
          remainingMs: Math.max(0, durationMs - elapsedMs),
          progress: Math.min(1, elapsedMs / durationMs),
          epochsPerYear: epochsPerYear(durationMs),
          nextCommitteeSelected,
          dataAgeSeconds: network.ageSeconds(view),
          nextChangeAt: toNextChangeAt(view.snapshot),
        }
        // The version covers the elapsed time in seconds, which is also how long the answer may be cached.
        const seconds = Math.floor(elapsedMs / 1000)
        const content = { ...body, elapsedMs: seconds, remainingMs: undefined, progress: undefined }
        return { answer: conditional(hasVersion, prepareChanging(body, FRESH_SECONDS.epoch, content)) }
      },
    },
    price: {
      handle: (_, { hasVersion }) => {
        const { usd, change24hPercent, source, updatedAt, ageSeconds, stale, nextReadAt } = price.read()
        const body = {
          symbol: (network.peek() ?? network.read()).snapshot.token.symbol,
          priceUsd: usd,
          change24hPercent: change24hPercent ?? null,
          source,
          updatedAt: toIso(updatedAt),
          dataAgeSeconds: ageSeconds,
          stale,
          nextChangeAt: toIso(nextReadAt),
        }
        return { answer: conditional(hasVersion, prepareAged(body, FRESH_SECONDS.price)) }
      },
    },
    scoring: {
      handle: (_, { hasVersion }) => ({ answer: conditional(hasVersion, scoring) }),
    },
    health: {
      requires: 'data',
      handle: () => {
        const view = network.read()
        const age = network.ageSeconds(view)
        return {
          reply: {
            status: age > DEGRADED_AFTER_SECONDS ? 'degraded' : 'ok',
            version,
            network: view.snapshot.network,
            epoch: view.snapshot.epoch.number,
            dataAgeSeconds: age,
            ...toHistoryState(view),
          },
        }
      },
    },
  } satisfies Endpoints
}
