import type { RewardShape } from '../../server/src/ports/chain/staking-chain.ts'
import type { HistoryEpoch, HistoryRow } from './read-history.ts'

/** A history, the rule by which its network pays, and the amount to be staked. */
export type Scenario = {
  readonly title: string
  readonly history: readonly HistoryEpoch[]
  readonly shape: RewardShape
  /** The maximum number of members; undefined if every validator is a member. */
  readonly committee: number | undefined
  /** In the smallest unit. */
  readonly amount: bigint
  /** The factor on a validator's rate when this share of the amount joins its pool. */
  readonly dilution: (row: HistoryRow, part: number) => number
}

/** The history as it is: pay by stake, and an amount too small to change anything. */
export function asRecorded(history: readonly HistoryEpoch[]): Scenario {
  return {
    title: 'pay by stake, as recorded; 10,000 tokens',
    history,
    shape: { kind: 'proportional', capShare: 1 },
    committee: undefined,
    amount: 10_000n * 1_000_000_000n,
    dilution: () => 1,
  }
}

/** The maximum number of members on Ika. */
const COMMITTEE = 102
const YEARLY_RATE = 0.05

/**
 * The same validators on a network that pays every member the same: the recorded stakes, commissions and uptimes of the
 * largest `committee` validators of each epoch, 5 % a year on all stake together, and `share` of that stake to place.
 */
export function equalPay(history: readonly HistoryEpoch[], share: number, committee = COMMITTEE): Scenario {
  const epochs = history.map(({ epoch, rows }) => {
    const largestFirst = [...rows.values()].toSorted((a, b) =>
      a.stake === b.stake ? 0 : a.stake < b.stake ? 1 : -1,
    )
    const members = largestFirst.slice(0, committee)
    const total = members.reduce((sum, { stake }) => sum + Number(stake), 0)
    const each = (YEARLY_RATE * total) / members.length
    const paid = members.map((row): [string, HistoryRow] => [
      row.validator,
      { ...row, apy: ((1 - row.commission) * (row.uptime ?? 1) * each) / Number(row.stake) },
    ])
    return { epoch, rows: new Map(paid), outside: largestFirst.slice(committee), total }
  })
  const amount = BigInt(Math.round(share * (epochs[0]?.total ?? 0)))
  return {
    title: `equal pay per member, ${100 * share} % of all stake`,
    history: epochs,
    shape: { kind: 'equal-share' },
    committee,
    amount,
    dilution: ({ stake }, part) => Number(stake) / (Number(stake) + part * Number(amount)),
  }
}
