import { APY_EPOCHS } from '@stakewright/contract/limits'
import { type Network, useValidatorHistory, type Validator } from '../../data/queries.ts'
import type { ValidatorEvent } from '../../data/validator-events.ts'
import { LinePlot, type PlotEvent } from '../../plots/line-plot.ts'
import { Figure } from '../figure.ts'
import { formatPercent, formatTokens, formatTokenTick, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { empty, skeleton, whenLoaded } from '../state.ts'
import { isolateName } from '../validator-link.ts'
import { CommissionHistory } from './commission-history.ts'
import { eventsOf, marksOf, type Series, toSeries, withDecimals } from './series.ts'

/** Yield, stake and rewards over the same epochs, with events marked; and every change of commission. */
export function Histories({
  validator,
  network,
}: {
  readonly validator: Validator
  readonly network: Network
}): View {
  const history = useValidatorHistory(validator.id)
  return html`<section class="section" aria-labelledby="history"><h2 id="history">History</h2>
    <p class="lede">Point at a plot to read the same epoch on all of them. A triangle marks a change of commission, a cross a missed epoch.</p>
    <div style=${{ height: '16px' }}></div>
    ${whenLoaded(
      history,
      ({ data }) => {
        if (data.length === 0) return empty('No completed epoch yet.')
        return h(Multiples, {
          series: toSeries(withDecimals(data)(network.decimals)),
          events: eventsOf(data),
          network,
          id: validator.id,
          name: validator.name,
          apy: validator.apy,
        })
      },
      skeleton('100%', '480px'),
    )}</section>`
}

type MultiplesProps = {
  readonly series: Series
  readonly events: readonly ValidatorEvent[]
  readonly network: Network
  readonly id: string
  readonly name: string
  readonly apy: number | null
}

type Multiple = {
  readonly title: string
  readonly y: readonly (number | null)[]
  readonly format: (value: number) => string
  readonly tick: (value: number) => string
  readonly caption: string
  readonly colour: 1 | 2 | 3 | 4
  readonly span: number
}

function Multiples(props: MultiplesProps): View {
  const marks = marksOf(props.events)
  return html`<div class="multiples">${multiplesOf(props).map((one) => html`<div class="card">${multiple(one, props, marks)}</div>`)}${h(CommissionHistory, { id: props.id, name: props.name })}</div>`
}

/** Relates the plotted rates to the Net APY at the top of the page, which is a mean of them. */
const meanNote = (apy: number | null): string =>
  apy === null
    ? ''
    : ` Its Net APY of ${formatPercent(apy)} is the lower of the means of the last ${APY_EPOCHS.short} and ${APY_EPOCHS.long} epochs, missed ones included.`

function multiplesOf({ series, network, name, apy }: MultiplesProps): readonly Multiple[] {
  const tokens = (value: number) =>
    formatTokens(BigInt(Math.round(value)) * 10n ** BigInt(network.decimals), network.decimals)
  return [
    {
      title: 'Net APY of each epoch',
      y: series.apy,
      format: (value: number) => formatPercent(value),
      tick: (value: number) => formatPercent(value, 1),
      caption: `${spanCaption(name, 'paid', series, series.apy, (value) => formatPercent(value))}${meanNote(apy)}`,
      colour: 1,
      span: 1,
    },
    {
      title: `Stake, ${network.symbol}`,
      y: series.stake,
      format: tokens,
      tick: formatTokenTick,
      caption: spanCaption(
        name,
        'held',
        series,
        series.stake,
        (value) => `${tokens(value)} ${network.symbol}`,
      ),
      colour: 3,
      span: 0,
    },
    {
      title: `Rewards to its stakers, ${network.symbol} per epoch`,
      y: series.rewards,
      format: tokens,
      tick: formatTokenTick,
      caption: spanCaption(
        name,
        'earned its stakers',
        series,
        series.rewards,
        (value) => `${tokens(value)} ${network.symbol}`,
      ),
      colour: 4,
      span: 0,
    },
  ]
}

function multiple(one: Multiple, { series, events }: MultiplesProps, marks: readonly PlotEvent[]): View {
  const { title, y, format, tick, caption, colour, span } = one
  const textsAt = (epoch: number) =>
    events
      .filter((event) => event.epoch === epoch)
      .map(({ text }) => text)
      .join(', ')
  const row = (epoch: number, index: number) => {
    const value = y[index] ?? null
    return [String(epoch), value === null ? '–' : format(value), textsAt(epoch)]
  }
  return h(Figure, {
    title,
    caption,
    table: () => ({ head: ['Epoch', title, 'What happened'], rows: series.epochs.map(row).toReversed() }),
    children: h(LinePlot, {
      x: series.epochs,
      y,
      height: 150,
      formatY: format,
      formatTick: tick,
      formatX: (epoch: number) => `Epoch ${epoch}`,
      series: colour,
      sync: 'validator',
      leastSpan: span,
      events: marks,
    }),
  })
}

function spanCaption(
  called: string,
  verb: string,
  { epochs }: Series,
  values: readonly (number | null)[],
  format: (value: number) => string,
): string {
  const known = values.filter((value) => value !== null)
  const [first, last] = [known[0], known.at(-1)]
  const isKnown = (value: number | null) => value !== null
  const [from, to] = [epochs[values.findIndex(isKnown)], epochs[values.findLastIndex(isKnown)]]
  const name = isolateName(called)
  if (first === undefined || last === undefined) return `${name} has no figures yet.`
  const over = `over ${plural(known.length, 'epoch')}`
  const [low, high] = [format(Math.min(...known)), format(Math.max(...known))]
  if (low === high) return `${name} ${verb} ${format(last)} throughout, ${over}.`
  const between = `between ${low} and ${high} ${over}.`
  if (format(first) === format(last))
    return `${name} ${verb} ${format(last)} in epoch ${to}, as in epoch ${from}; ${between}`
  return `${name} ${verb} ${format(last)} in epoch ${to}, after ${format(first)} in epoch ${from}; ${between}`
}
