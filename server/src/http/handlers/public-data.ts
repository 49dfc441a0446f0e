import type { Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { CurrentPrice } from '#domain/network/price.ts'
import { type HistoryRequest, readHistory } from '#domain/network/read-history.ts'
import { epochsPerYear } from '#domain/network/year.ts'
import type { ScoredValidator } from '#domain/staking/score.ts'
import { SCORING } from '#domain/staking/scoring-rules.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'
import { conditional, prepare, rememberLast } from '../conditional.ts'
import type { Inbound } from '../inbound.ts'
import type { Endpoints } from '../serve-endpoints.ts'

/** How long an answer may be called fresh: about as long as until the chain is looked at again. */
const FRESH_SECONDS = { network: 5, epoch: 1, price: 30, rules: 3600 }
/** Older data than this are still served, but health says so. */
const DEGRADED_AFTER_SECONDS = 60

type Needs = {
  readonly network: CurrentNetwork
  readonly price: CurrentPrice
  readonly clock: Clock
  readonly version: string
}

/** Public staking data. What depends on the snapshot alone is serialised once for all requests. */
export function publicData({ network, price, clock, version }: Needs) {
  const validatorSet = rememberLast((scored: NetworkView['scored']) => {
    const data = scored.map(toValidator).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return { data, ...prepare(data) }
  })
  const wholeSet = rememberLast((view: { readonly scored: NetworkView['scored']; readonly epoch: number }) => {
    const { data, etag } = validatorSet(view.scored)
    return prepare({ epoch: view.epoch, hash: etag.slice(1, -1), data }, etag.slice(1, -1))
  })
  return { wholeSet, network, price, clock, version }
}
