import type { Reply } from '@stakewright/client'
import { type Network, useEpoch, type Validator } from '../../data/queries.ts'
import { type RewardsAhead, rewardsAhead } from '../../data/rebalance/rewards-ahead.ts'
import { breakEvenPlot } from '../../plots/break-even.ts'
import { Amount, ExactAmount } from '../amount.ts'
import { rangeSentence } from '../apy-range.ts'
import { badge } from '../badge.ts'
import { Figure } from '../figure.ts'
import { formatDecimal, formatPercent, formatPoints, formatTokens, localNumbers, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { nameText, validatorLink } from '../validator-link.ts'

type Plan = Reply<'planRebalance'>
export type Known = { readonly network: Network; readonly validators: readonly Validator[] }

/** A plan and, if it says to hold, the plan for the longest horizon. */
export type Planned = { readonly plan: Plan; readonly ifLong: Plan | undefined }

/** Hold or move, with what it would bring and when. */
export function PlanCard({ plan, ifLong, network, validators }: Known & Planned): View {
  const epochsPerYear = useEpoch().data?.epochsPerYear
  const { summary, steps, currentPositions } = plan
  const isMove = summary.recommendation === 'move'
  const nameOf = (id: string) => validators.find((one) => one.id === id)?.name ?? id
  return html`<div class="stack">
    <div class="card stack"><div class="row spread"><h2>${isMove ? 'Move' : 'Hold'}</h2>${isMove ? badge('worth moving', 'good') : badge('stay where you are')}</div>
      <p class="figure-number">${formatPercent(summary.currentWeightedApy)}${isMove && html` <span class="faint">→</span> ${formatPercent(summary.projectedWeightedApy)}`}</p>
      <p class="small soft">projected APY${isMove ? ', as it is and after the move' : ' as it is'}</p>
      <p class="prose">${localNumbers(summary.reason)}</p>
      ${!isMove && holdText(plan)}
      ${rangeSentence(summary.range)}
      ${isMove && summary.breakEvenEpochs !== null && html`<p class="small soft">Complete after ${plural(summary.estimatedEpochsToComplete, 'epoch')}, in epoch ${plan.epoch + summary.estimatedEpochsToComplete}; level after ${plural(summary.breakEvenEpochs, 'epoch')}, in epoch ${plan.epoch + summary.breakEvenEpochs}; weighed over ${plural(summary.horizonEpochs, 'epoch')}.</p>`}
    </div>
    ${isMove && summary.breakEvenEpochs !== null && epochsPerYear !== undefined && html`<div class="card">${moveFigure(plan, summary.breakEvenEpochs, epochsPerYear, network)}</div>`}
    ${ifLong && epochsPerYear !== undefined && html`<div class="card">${holdFigure(plan, ifLong, epochsPerYear, network)}</div>`}
    ${
      steps.length > 0 &&
      html`<div class="card"><h3>Steps</h3><ol class="steps">${steps.map(
        ({ order, action, validator, amount, requiresEpochWait, epoch }) =>
          html`<li><span class="faint">${order}</span><span>${action === 'unstake' ? 'Unstake' : 'Stake'} <strong>${h(ExactAmount, { value: amount })}</strong> ${action === 'unstake' ? 'from' : 'with'} ${validatorLink({ id: validator, name: nameOf(validator) })}<span class="soft">, ${stepTime(epoch, plan.epoch)}${requiresEpochWait ? (action === 'unstake' ? '; the coins come in a later epoch' : ', once the coins are there') : ''}</span></span></li>`,
      )}</ol></div>`
    }
    <div class="card"><h3>Where it is now</h3><table class="table-plain"><thead><tr><th scope="col">Validator</th><th scope="col" data-align="end">Staked</th><th scope="col" data-align="end" style=${{ whiteSpace: 'normal' }}>Projected APY</th></tr></thead><tbody>${currentPositions.map(
      ({ validator, stakedAmount, currentApy }) =>
        html`<tr><td>${nameText(nameOf(validator))}</td><td data-align="end">${h(Amount, { value: stakedAmount })}</td><td data-align="end">${formatPercent(currentApy)}</td></tr>`,
    )}</tbody></table></div>
  </div>`
}

/** How far the best moves are from being worth their cost. */
function holdText({ certificate: { value, bound }, summary }: Plan): View {
  const gained = bound - value
  const best =
    gained < LEAST_SHOWN
      ? `It earns ${formatPercent(value, 3)} a year before compounding and after the price of risk, and no moves would earn more after what they cost.`
      : `It earns ${formatPercent(value, 3)} a year before compounding and after the price of risk. The best moves would earn ${formatPercent(bound, 3)} after what they cost: ${formatPoints(gained, 3)}.`
  return html`<p class="small soft">${best} Weighed over ${plural(summary.horizonEpochs, 'epoch')}.</p>`
}
/** Half of the last shown digit. */
const LEAST_SHOWN = 5e-4

const stepTime = (epoch: number, present: number): string =>
  epoch === present ? `now, in epoch ${epoch}` : `in epoch ${epoch}`

/** Up to `MAX_ROWS` even steps to the horizon, and the epoch after which the move has paid. */
function epochsOf(horizon: number, levelAfter: number): readonly number[] {
  const steps = Math.min(horizon, MAX_ROWS)
  const even = Array.from({ length: steps + 1 }, (_, index) => Math.round((horizon * index) / steps))
  return [...new Set([...even, levelAfter])].toSorted((a, b) => a - b)
}
const MAX_ROWS = 30

/** Rewards come at the end of an epoch, and the lines cross within one. */
const crossingText = (crossing: number, levelAfter: number): string =>
  Number.isInteger(crossing)
    ? `It is level after ${plural(levelAfter, 'epoch')}`
    : `The lines cross after ${formatDecimal(crossing, 1)} epochs, at the mark; rewards come at the end of an epoch, so it is level after ${plural(levelAfter, 'epoch')}`

function moveFigure(plan: Plan, levelAfter: number, epochsPerYear: number, network: Network): View {
  const { horizonEpochs } = plan.summary
  const ahead = rewardsAhead(plan, epochsPerYear)
  const { hold, move } = ahead
  const most = `${unitsText(move(horizonEpochs) - hold(horizonEpochs), network)} ahead after ${horizonEpochs}`
  const isBehind = move(ahead.complete) < hold(ahead.complete)
  const start = isBehind
    ? `Moving is behind at first, because stake that moves earns nothing for an epoch. ${crossingText(ahead.crossing, levelAfter)}`
    : `Moving is never behind: what moves earns nothing where it is. It is ahead once the move is complete, after ${plural(ahead.complete, 'epoch')},`
  return breakEvenFigure(`${start} and ${most}.`, { ahead, levelAfter, horizon: horizonEpochs }, network)
}

/** When the best moves for the longest horizon would be level, beside the horizon of this plan. */
function holdFigure(plan: Plan, ifLong: Plan, epochsPerYear: number, network: Network): View {
  const { horizonEpochs } = plan.summary
  const { breakEvenEpochs: levelAfter, horizonEpochs: longest } = ifLong.summary
  if (levelAfter === null)
    return html`<p class="small soft">Moving does not pay for a stay of ${plural(longest, 'epoch')}, either.</p>`
  const ahead = rewardsAhead(ifLong, epochsPerYear)
  const gained = ahead.move(horizonEpochs) - ahead.hold(horizonEpochs)
  const then = `${unitsText(Math.abs(gained), network)} ${gained < 0 ? 'behind' : 'ahead'}`
  const caption = `For a stay of ${plural(longest, 'epoch')} moving is worth it: it is level after ${plural(levelAfter, 'epoch')}. After the ${plural(horizonEpochs, 'epoch')} of this plan it is ${then}.`
  return breakEvenFigure(caption, { ahead, levelAfter, horizon: horizonEpochs }, network)
}

const unitsText = (units: number, { decimals, symbol }: Network): string =>
  `${formatTokens(BigInt(Math.round(units)), decimals)} ${symbol}`

type BreakEven = {
  readonly ahead: RewardsAhead
  readonly levelAfter: number
  /** The plot extends beyond it if the lines cross later. */
  readonly horizon: number
}

function breakEvenFigure(
  caption: string,
  { ahead, levelAfter, horizon }: BreakEven,
  { decimals, symbol }: Network,
): View {
  const text = (units: number) => formatTokens(BigInt(Math.round(units)), decimals)
  return h(Figure, {
    title: `Rewards in sum by epochs from now, ${symbol}`,
    caption,
    table: () => ({
      head: ['Epochs from now', 'Hold', 'Move'],
      rows: epochsOf(horizon, levelAfter).map((epoch) => [
        String(epoch),
        text(ahead.hold(epoch)),
        text(ahead.move(epoch)),
      ]),
    }),
    children: breakEvenPlot({ ahead, decimals, horizon }),
  })
}
