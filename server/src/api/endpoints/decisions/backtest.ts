import { type Checked, type Reply, TIERS, type Tier } from '@stakewright/contract'
import type { Caller } from '#domain/limits/turn-order.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { NetworkView } from '#domain/network/network-view.ts'
import type { BacktestPolicy } from '#domain/staking/backtest/decide.ts'
import {
  type Backtest,
  type BacktestInput,
  type BacktestLine,
  scoredEpochs,
} from '#domain/staking/backtest/run-backtest.ts'
import { checkNamed } from '#domain/staking/named-validators.ts'
import { belowSmallestStake } from '#domain/staking/stake-limits.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import type { Endpoints } from '../../endpoint.ts'
import { needsBuilderTier } from '../refusals.ts'
import { toHistoryState, toNextChangeAt, toPercent, toTokenUnit } from '../shapes.ts'
import { toLimits } from './asked-limits.ts'
import { comparableIn, hiddenFromPolicy } from './stated-assumptions.ts'

type Needs = {
  readonly network: CurrentNetwork
  readonly run: (input: BacktestInput, caller: Caller, signal: AbortSignal) => Promise<Backtest>
}

/** The yield that a policy would have had over the recorded epochs. */
export function backtestEndpoints({ network, run }: Needs) {
  return {
    backtest: {
      requires: 'data',
      refuse: ({ agent }, keyEndpoint) =>
        TIERS[agent.tier].mayRebalance ? undefined : needsBuilderTier(keyEndpoint, 'Backtests of plans'),
      handle: async (body, { caller, client, signal }) => {
        const view = network.read()
        const policy = toPolicy(body, caller.agent.tier)
        checkPolicy(view, policy)
        const { snapshot, history } = view
        const input = { snapshot, records: history.byValidator, policy, epochs: body.epochs }
        const turn = { group: client, member: String(caller.agent.no) }
        const backtest = await run(input, turn, signal())
        return {
          reply: {
            ...toResults(backtest),
            assumptions: [
              ...assumptionsOf(input, backtest),
              ...hiddenFromPolicy(comparableIn(view), caller.agent.tier),
            ],
            epoch: snapshot.epoch.number,
            dataAgeSeconds: network.ageSeconds(view),
            nextChangeAt: toNextChangeAt(snapshot),
            ...toTokenUnit(snapshot),
            ...toHistoryState(view),
            snapshotId: view.contentId,
          },
        }
      },
    },
  } satisfies Endpoints
}

function toPolicy(body: Checked<'backtest'>, tier: Tier): BacktestPolicy {
  const { amount, maxValidators, maxTurnover, horizonEpochs, everyEpochs } = body
  return {
    ...toLimits(body, tier),
    amount: BigInt(amount),
    maxValidators,
    maxTurnover,
    everyEpochs,
    ...(horizonEpochs !== undefined && { horizonEpochs }),
  }
}

/** Refuses unknown validators and amounts below the minimum stake before a thread is started. */
function checkPolicy({ snapshot, scored }: NetworkView, policy: BacktestPolicy): void {
  const market = stakeOptionsOf(snapshot, scored)
  checkNamed(market, policy)
  if (policy.amount >= market.minStake) return
  throw belowSmallestStake(market.minStake)
}

type Results = Pick<Reply<'backtest'>, 'results' | 'partOfOracle' | 'epochs'>

function toResults(backtest: Backtest): Results {
  if (backtest.kind === 'too short') return { results: [], partOfOracle: null, epochs: [] }
  const { lines, first } = backtest
  const lineOf = new Map(lines.map((line) => [line.name, line]))
  const [policy, oracle] = [lineOf.get('policy'), lineOf.get('oracle')]
  const rateOf = (name: BacktestLine['name'], at: number) =>
    toPercent(100 * (lineOf.get(name)?.rates[at] ?? 0))
  return {
    results: lines.map(toLine),
    partOfOracle: policy && oracle && oracle.netRate > 0 ? toPercent(policy.netRate / oracle.netRate) : null,
    epochs: (policy?.rates ?? []).map((_, at) => ({
      epoch: first + at,
      policy: rateOf('policy', at),
      held: rateOf('policy_held', at),
      patient: rateOf('patient', at),
      oracle: rateOf('oracle', at),
      moved: Math.min(1, toPercent(policy?.moved[at] ?? 0)),
    })),
  }
}

const toLine = (line: BacktestLine): Results['results'][number] => ({
  name: line.name,
  netApr: toPercent(100 * line.netRate),
  rewards: String(line.rewards),
  deviation: toPercent(100 * line.deviation),
  worstEpoch: toPercent(100 * line.worst),
  turnover: Math.min(1, toPercent(line.turnover)),
  switchingCost: toPercent(100 * line.switchingCost),
})

function assumptionsOf(input: BacktestInput, backtest: Backtest): readonly string[] {
  const { count, affordable, inHistory } = scoredEpochs(input)
  const always = [
    'The rules of the chain are assumed to have been the same as now; announced commissions, pending stake and requested withdrawals are not on record.',
    'A validator counts as a member when it earned in one of the last three epochs. Rewards are not staked again.',
  ]
  if (backtest.kind === 'too short') {
    return [
      `The history is too short: ${backtest.scored} epochs can be scored, ${backtest.needed} are needed.`,
    ]
  }
  if (count === input.epochs) return always
  const why =
    affordable < inHistory
      ? 'more would be too much work on a network of this size'
      : 'the history holds no more'
  return [`Only ${count} of ${input.epochs} epochs were walked through: ${why}.`, ...always]
}
