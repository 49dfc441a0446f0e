import type { Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import { type HistoryRequest, readHistory } from '#domain/network/read-history.ts'
import { competingStake } from '#domain/staking/scoring/committee-risk.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { conditional, prepare, rememberLast, share } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { unknownValidator } from './refusals.ts'
import { toHistoryPage, toValidator, toValidatorDetail } from './shapes.ts'

/** How long an answer may be called fresh: until the chain is looked at again. */
const FRESH_SECONDS = 5

type Needs = { readonly network: CurrentNetwork }

/** What depends on the snapshot alone is serialised once, and sent as bytes from then on. */
export function validatorEndpoints({ network }: Needs) {
  const wholeSet = rememberLast((view: NetworkView) => view.scored, prepareSet)

  function historyAnswer(
    ifNoneMatch: string | undefined,
    validatorId: string | undefined,
    request: HistoryRequest,
  ) {
    const view = network.read()
    const body = toHistoryPage(readHistory(view, validatorId, request), view.snapshot.epoch.number)
    return { answer: conditional(ifNoneMatch, prepare(body, FRESH_SECONDS)) }
  }

  return {
    validators: {
      requires: 'data',
      handle: ({ hash }, { ifNoneMatch }) => {
        const answer = conditional(ifNoneMatch, wholeSet(network.read()), hash)
        return { answer }
      },
    },
    validator: {
      requires: 'data',
      handle: ({ id }, { ifNoneMatch }) => {
        const view = network.read()
        const detail = toValidatorDetail(findValidator(view, id), view, network.ageSeconds(view))
        return { answer: conditional(ifNoneMatch, prepare(detail, FRESH_SECONDS)) }
      },
    },
    validatorApyHistory: {
      requires: 'data',
      handle: ({ id, ...request }, { ifNoneMatch }) =>
        historyAnswer(ifNoneMatch, findValidator(network.read(), id).validator.id, request),
    },
    apyHistory: {
      requires: 'data',
      handle: (request, { ifNoneMatch }) => historyAnswer(ifNoneMatch, undefined, request),
    },
  } satisfies Endpoints
}

/** The hash covers the content and nothing that passes with time. */
function prepareSet({ snapshot, scored }: NetworkView) {
  const epoch = snapshot.epoch.number
  const data = scored.map(toValidator).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const scoringInputs = toScoringInputs(snapshot)
  const { etag } = prepare({ epoch, data, scoringInputs }, FRESH_SECONDS)
  const hash = etag.slice(1, -1)
  return share(prepare({ epoch, hash, data, scoringInputs }, FRESH_SECONDS, hash))
}

function toScoringInputs(snapshot: ChainSnapshot): Reply<'validators'>['scoringInputs'] {
  const { shape } = snapshot.rewards
  return {
    rewardShape: shape.kind,
    capShare: shape.kind === 'proportional' ? shape.capShare : null,
    minValidatorJoiningStake: String(snapshot.system.minValidatorJoiningStake),
    competingStake: String(BigInt(competingStake(snapshot))),
  }
}

function findValidator(view: NetworkView, id: string) {
  const found = view.byId.get(id)
  if (found) return found
  throw unknownValidator()
}
