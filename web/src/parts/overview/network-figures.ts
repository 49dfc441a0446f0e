import { StakewrightError } from '@stakewright/client'
import { type Network, useNetwork, usePrice, useValidators } from '../../data/queries.ts'
import type { Loaded } from '../../data/query.ts'
import { Amount } from '../amount.ts'
import { formatCount, formatPercent, formatTokens, formatUsd, toTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { stats } from '../stat.ts'
import { skeleton } from '../state.ts'
import { Ago } from '../time.ts'

/** Stake, price, committee and rewards, in a row. */
export function NetworkFigures(): View {
  const network = useNetwork()
  const price = usePrice()
  const validators = useValidators()
  const { data } = network
  const usd = price.data?.priceUsd
  const active = validators.data?.data.filter(
    ({ status }) => status === 'active' || status === 'leaving',
  ).length
  // A dash after an error: nothing is loading then.
  const barOf = ({ error }: Loaded<unknown>) => (error === undefined ? skeleton('5em') : '–')
  const bar = barOf(network)
  // Only this code means that the service has no price; other errors say nothing about the price.
  const isUnpriced = price.error instanceof StakewrightError && price.error.code === 'rpc_unavailable'
  return stats([
    {
      label: 'Total stake',
      value: data ? h(Amount, { value: data.totalStake }) : bar,
      note: data ? `of the committee${usd === undefined ? '' : `: ${stakeUsd(data, usd)}`}` : '',
    },
    {
      label: 'Price',
      value: usd === undefined ? barOf(price) : formatUsd(usd),
      note: price.data ? priceNote(price.data) : isUnpriced ? 'the service has none' : '',
    },
    {
      label: 'Validators in the committee',
      value: active === undefined ? barOf(validators) : formatCount(active),
      note: data?.committee
        ? `at least ${formatCount(data.committee.minMembers)}, at most ${formatCount(data.committee.maxMembers)}`
        : '',
    },
    {
      label: 'Rewards per epoch',
      value: data ? h(Amount, { value: data.rewardsPerEpoch }) : bar,
      note: data
        ? data.rewardShape === 'equal-share'
          ? 'in all, in equal parts'
          : 'in all, shared by stake'
        : '',
    },
    {
      label: 'A seat needs',
      value: data ? h(Amount, { value: data.minValidatorJoiningStake }) : bar,
      note: data
        ? `smallest stake ${formatTokens(BigInt(data.minStakeAmount), data.decimals)} ${data.symbol}`
        : '',
    },
  ])
}

const stakeUsd = ({ totalStake, decimals }: Network, usd: number): string =>
  formatUsd(toTokens(BigInt(totalStake), decimals) * usd)

function priceNote({
  change24hPercent,
  stale,
  updatedAt,
}: NonNullable<ReturnType<typeof usePrice>['data']>): View {
  if (stale) return html`<span class="attention">last known, ${h(Ago, { at: updatedAt })}</span>`
  if (change24hPercent === null) return html`${h(Ago, { at: updatedAt })}`
  const word = change24hPercent < 0 ? 'down' : 'up'
  return html`<span class=${change24hPercent < 0 ? 'bad' : 'good'}>${formatPercent(Math.abs(change24hPercent))}</span> ${word} in 24 h`
}
