import { type Checked, ENDPOINTS, type Reply } from '@stakewright/contract'
import { commissionHistory } from '#domain/network/commission-history.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import { type HistoryRequest, readHistory } from '#domain/network/read-history.ts'
import { competingStake } from '#domain/staking/scoring/committee-risk.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { conditional, prepare, prepareAged, rememberLast, share } from '../cached-answer.ts'
import type { Call } from '../call.ts'
import type { Endpoints } from '../endpoint.ts'
import { arrangeList, arrangeReply, type FieldChoice, isPlain, selectFields } from '../lists/arrange-list.ts'
import { passesFilters } from '../lists/filter-validators.ts'
import { unknownValidator } from './refusals.ts'
import {
  toCommissionHistory,
  toHistoryPage,
  toHistoryState,
  toNextChangeAt,
  toTokenUnit,
  toValidator,
  toValidatorDetail,
} from './shapes.ts'

/** How long caches may treat the answers as fresh: about the time until the chain is read again. */
const FRESH_SECONDS = 5

type Needs = { readonly network: CurrentNetwork }

/** The answer that depends on the snapshot alone is serialized once for all requests. */
export function validatorEndpoints({ network }: Needs) {
  const wholeSet = rememberLast((view: NetworkView) => view.scored, prepareSet)

  function historyAnswer(
    hasVersion: Call['hasVersion'],
    validatorId: string | undefined,
    request: HistoryRequest & FieldChoice,
  ) {
    const view = network.read()
    const body = toHistoryPage(readHistory(view, validatorId, request), view)
    const shown = selectFields(body, ENDPOINTS.apyHistory.list, request)
    return { answer: conditional(hasVersion, prepare(shown, FRESH_SECONDS)) }
  }

  return {
    validators: {
      requires: 'data',
      handle: ({ hash, ...request }, { hasVersion }) => {
        const set = wholeSet(network.read())
        if (isPlain(request)) return { answer: conditional(hasVersion, set.whole, hash) }
        const { prepared, part } = preparePart(set.reply, request)
        return { answer: { ...conditional(hasVersion, prepared, hash), part } }
      },
    },
    validator: {
      requires: 'data',
      handle: ({ id }, { hasVersion }) => {
        const view = network.read()
        const detail = toValidatorDetail(findValidator(view, id), view, network.ageSeconds(view))
        return { answer: conditional(hasVersion, prepareAged(detail, FRESH_SECONDS)) }
      },
    },
    validatorApyHistory: {
      requires: 'data',
      handle: ({ id, ...request }, { hasVersion }) =>
        historyAnswer(hasVersion, findValidator(network.read(), id).validator.id, request),
    },
    validatorCommissionHistory: {
      requires: 'data',
      handle: ({ id, ...request }, { hasVersion }) => {
        const view = network.read()
        const whole = toCommissionHistory(commissionHistory(view, findValidator(view, id).validator), view)
        const { body, part } = arrangeReply(whole, 'validatorCommissionHistory', request, id)
        return { answer: { ...conditional(hasVersion, prepare(body, FRESH_SECONDS)), part } }
      },
    },
    apyHistory: {
      requires: 'data',
      handle: (request, { hasVersion }) => historyAnswer(hasVersion, undefined, request),
    },
  } satisfies Endpoints
}

/** The hash covers the content without values that change with time alone, such as the data's age. */
function prepareSet(view: NetworkView) {
  const { snapshot, scored } = view
  const epoch = snapshot.epoch.number
  const data = scored.map(toValidator).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const scoringInputs = toScoringInputs(snapshot)
  const nextChangeAt = toNextChangeAt(snapshot)
  const content = { data, scoringInputs, nextChangeAt, ...toHistoryState(view), ...toTokenUnit(snapshot) }
  const hash = hashOf({ epoch, ...content })
  const reply = { epoch, hash, ...content }
  return { reply, whole: share(prepare(reply, FRESH_SECONDS, hash)) }
}

const hashOf = (content: object): string => prepare(content, FRESH_SECONDS).version.id

/** Each selection has its own hash: a client that has one selection does not have another. */
function preparePart(whole: Reply<'validators'>, request: PartRequest) {
  const { hash: _, ...all } = whole
  const passing = all.data.filter((one) =>
    passesFilters(
      { ...one, highestCommission: Math.max(one.commissionRate, one.nextCommissionRate) },
      request,
    ),
  )
  const { items, part, ...page } = arrangeList(passing, 'validators', request, { epoch: all.epoch })
  const content = { ...all, data: items, ...page }
  const hash = hashOf(content)
  return { prepared: prepare({ ...content, hash }, FRESH_SECONDS, hash), part }
}

type PartRequest = Omit<Checked<'validators'>, 'hash'>

function toScoringInputs(snapshot: ChainSnapshot): Reply<'validators'>['scoringInputs'] {
  const { shape } = snapshot.rewards
  return {
    rewardShape: shape.kind,
    capShare: shape.kind === 'proportional' ? shape.capShare : null,
    minValidatorStake: String(snapshot.system.minValidatorStake),
    competingStake: String(BigInt(competingStake(snapshot))),
  }
}

function findValidator(view: NetworkView, id: string) {
  const found = view.byId.get(id)
  if (found) return found
  throw unknownValidator()
}
