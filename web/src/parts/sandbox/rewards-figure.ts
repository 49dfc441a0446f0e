import type { Wallet } from '../../data/account/wallet.ts'
import type { Network } from '../../data/queries.ts'
import { LinePlot } from '../../plots/line-plot.ts'
import { Figure } from '../figure.ts'
import { formatDecimal, formatExactTokens, formatTokenTick, toTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'

/** What the play wallet has earned, epoch by epoch. */
export function rewardsFigure({ earned, paidOut }: Wallet, network: Network): View {
  const last = earned.at(-1)
  if (!last || earned.length < 2 || earned.every(({ rewards }) => rewards === '0'))
    return html`<h2>Rewards</h2><p class="soft small">They appear here, epoch by epoch, once something is staked and time moves.</p>`
  const text = (units: string) => `${formatExactTokens(BigInt(units), network.decimals)} ${network.symbol}`
  const { x, y } = plotOf(earned, network.decimals)
  return h(Figure, {
    title: `Rewards not withdrawn yet, ${network.symbol}`,
    level: 2,
    caption:
      BigInt(last.principal) === 0n
        ? `In epoch ${last.epoch} nothing is staked; ${text(paidOut)} were paid out so far.`
        : `In epoch ${last.epoch} your staked tokens hold ${text(last.principal)} and have earned ${text(last.rewards)} on top.`,
    table: () => ({
      head: ['Epoch', 'Principal', 'Rewards'],
      rows: earned
        .toReversed()
        .map(({ epoch, principal, rewards }) => [String(epoch), text(principal), text(rewards)]),
    }),
    children: h(LinePlot, {
      x,
      y,
      height: 150,
      series: 3,
      formatY: (value: number) => formatDecimal(value, value >= 100 ? 0 : 4),
      formatTick: formatTokenTick,
      hasPoints: true,
      formatX: (epoch: number) => `Epoch ${epoch}`,
    }),
  })
}

type Plot = { readonly x: readonly number[]; readonly y: readonly (number | null)[] }

/** Equal earnings keep their plot, so that it is not redrawn. */
const plots = new WeakMap<Wallet['earned'], Plot>()

function plotOf(earned: Wallet['earned'], decimals: number): Plot {
  const known = plots.get(earned) ?? makePlot(earned, decimals)
  plots.set(earned, known)
  return known
}

function makePlot(earned: Wallet['earned'], decimals: number): Plot {
  const points = earned.flatMap(({ epoch, principal, rewards }, index) => {
    const point = { x: epoch, y: toTokens(BigInt(rewards), decimals) }
    const before = earned[index - 1]
    // A gap where the principal changes: the rewards are those of another stake.
    return before && before.principal !== principal ? [{ x: epoch - 0.5, y: null }, point] : [point]
  })
  return { x: points.map(({ x }) => x), y: points.map(({ y }) => y) }
}
