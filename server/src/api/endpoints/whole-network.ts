import { compareHistories } from '#domain/network/compare-histories.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import { conditional, prepare, prepareAged, rememberLast, share } from '../cached-answer.ts'
import type { Endpoints } from '../endpoint.ts'
import { arrangeReply, isPlain } from '../lists/arrange-list.ts'
import { toHistoryState, toNextChangeAt, toPercent, toTokenUnit } from './shapes.ts'

/** How long caches may treat the answers as fresh: about the time until the chain is read again. */
const FRESH_SECONDS = 5

/** Figures of the whole network, and the histories of all validators side by side. */
export function wholeNetworkEndpoints({ network }: { readonly network: CurrentNetwork }) {
  /** Cache by number of epochs; the answers depend on the snapshot alone. */
  const histories = rememberLast((view: NetworkView) => view.scored, rememberHistories)
  return {
    network: {
      requires: 'data',
      handle: (_, { hasVersion }) => {
        const view = network.read()
        const body = { ...toNetwork(view), dataAgeSeconds: network.ageSeconds(view) }
        return { answer: conditional(hasVersion, prepareAged(body, FRESH_SECONDS)) }
      },
    },
    validatorHistories: {
      requires: 'data',
      handle: ({ epochs, ...request }, { hasVersion }) => {
        const view = network.read()
        if (isPlain(request)) return { answer: conditional(hasVersion, histories(view)(epochs)) }
        const whole = toHistories(view, epochs)
        const { body, part } = arrangeReply(whole, 'validatorHistories', request, epochs)
        return { answer: { ...conditional(hasVersion, prepare(body, FRESH_SECONDS)), part } }
      },
    },
  } satisfies Endpoints
}

function toNetwork(view: NetworkView) {
  const { snapshot } = view
  const { token, system, rewards, epoch, validators } = snapshot
  const { activeSet } = system
  return {
    network: snapshot.network,
    ...toTokenUnit(snapshot),
    minStakeAmount: String(token.minStake),
    minValidatorJoiningStake: String(system.minValidatorJoiningStake),
    minValidatorStake: String(system.minValidatorStake),
    epochDurationMs: epoch.durationMs,
    totalStake: String(validators.filter(isEarning).reduce((sum, { stake }) => sum + stake, 0n)),
    rewardsPerEpoch: String(rewards.perEpoch),
    rewardShape: rewards.shape.kind,
    rewardCapShare: rewards.shape.kind === 'proportional' ? rewards.shape.capShare : null,
    committee: activeSet
      ? {
          members: activeSet.members,
          minMembers: activeSet.minMembers,
          maxMembers: activeSet.maxMembers,
          changesLeft: activeSet.changesLeft ?? null,
        }
      : null,
    epoch: epoch.number,
    nextChangeAt: toNextChangeAt(snapshot),
    ...toHistoryState(view),
  }
}

const isEarning = ({ status }: NetworkView['snapshot']['validators'][number]) =>
  status === 'active' || status === 'leaving'

function rememberHistories(view: NetworkView) {
  const known = new Map<number, ReturnType<typeof prepare>>()
  return (epochs: number) => {
    const answer = known.get(epochs) ?? share(prepare(toHistories(view, epochs), FRESH_SECONDS))
    known.set(epochs, answer)
    return answer
  }
}

function toHistories(view: NetworkView, count: number) {
  const { epochs, rows } = compareHistories(view, count)
  return {
    epochs,
    data: rows.map(({ validatorId, apy, commissionRate, performed }) => ({
      id: validatorId,
      apy: apy.map(toNullablePercent),
      commissionRate: commissionRate.map(toNullablePercent),
      performed: performed.map((one) => one ?? null),
    })),
    epoch: view.snapshot.epoch.number,
    nextChangeAt: toNextChangeAt(view.snapshot),
    ...toHistoryState(view),
  }
}

const toNullablePercent = (value: number | undefined) => (value === undefined ? null : toPercent(value))
