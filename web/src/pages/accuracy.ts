import type { Reply } from '@stakewright/client'
import { memoize } from '../data/memo.ts'
import { useAccuracy } from '../data/queries.ts'
import { Figure } from '../parts/figure.ts'
import { formatCount, formatDate, formatDecimal, formatPoints, formatShare, plural } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { type Column, Table } from '../parts/table.ts'
import { LinePlot } from '../plots/line-plot.ts'

type Accuracy = Reply<'accuracy'>
type Result = Accuracy['results'][number]

/** How good the projections were. */
export default function AccuracyPage(): View {
  return html`<div class="page"><div class="page-head"><div><h1>How good the projections are</h1>
    <p class="lede">Every projected APY is recorded when it is made and compared with what was paid afterwards. None is left out: those still open and those that cannot be judged are counted. <a href="/docs/allocation">How it is measured</a></p></div></div>
    ${whenLoaded(useAccuracy(), showAccuracy, skeleton('100%', '480px'))}</div>`
}

function showAccuracy(accuracy: Accuracy): View {
  const results = accuracy.results.filter(({ engineVersion }) => engineVersion === accuracy.engineVersion)
  if (results.every(({ forecasts }) => forecasts === 0))
    return html`<div class="card">${empty(emptyText(results), html`<a class="button" href="/allocate">See a projection</a>`)}</div>`
  return html`${h(Table<Result>, { label: 'Projections against outcomes', columns: COLUMNS, rows: results, rowKey: ({ horizon }: Result) => String(horizon) })}
    <p class="small soft table-note">Model ${accuracy.engineVersion}${accuracy.since === null ? '' : `, on record since ${formatDate(Date.parse(accuracy.since))}`}. Errors are in percentage points of APY, bias is what was paid minus what was projected. Skill compares with a simple guess, that the last epoch or the mean goes on: 1 is perfect, 0 no better than the guess.</p>
    <div class="multiples section">${results.filter(({ epochs }) => epochs.length > 0).map((result) => html`<div class="card" key=${result.horizon}>${errorFigure(result, accuracy.level)}</div>`)}</div>
    <p class="section small soft">The same as data: <a href="/docs?endpoint=accuracy"><code>GET /api/v1/staking/accuracy</code></a>, also as CSV.</p>`
}

const emptyText = (results: readonly Result[]): string => {
  const pending = results.reduce((sum, one) => sum + one.pending, 0)
  return pending === 0
    ? 'No projection is on record yet: the first ones are made when the next epoch begins.'
    : `${plural(pending, 'projection')} are on record; none of their epochs is over yet.`
}

const skillText = (value: number | null) => (value === null ? '–' : formatDecimal(value, 2))

/** Formats a figure of judged projections; a dash while none is judged. */
const judged =
  (name: 'meanAbsoluteError' | 'bias' | 'rankCorrelation', text: (value: number) => string) =>
  ({ [name]: value }: Result) =>
    value === null ? '–' : text(value)

const distance = (points: number): string => formatPoints(points).replace('+', '')

const COLUMNS: readonly Column<Result>[] = [
  {
    key: 'horizon',
    head: 'Over',
    cell: ({ horizon }) => html`<span class="nowrap">${plural(horizon, 'epoch')}</span>`,
  },
  { key: 'judged', head: 'Judged', align: 'end', cell: ({ forecasts }) => formatCount(forecasts) },
  {
    key: 'error',
    head: 'Mean error',
    align: 'end',
    cell: judged('meanAbsoluteError', distance),
  },
  { key: 'bias', head: 'Bias', align: 'end', phone: 'hide', cell: judged('bias', formatPoints) },
  {
    key: 'coverage',
    head: 'Inside the range',
    align: 'end',
    cell: ({ coverage }) => (coverage === null ? '–' : formatShare(coverage, 0)),
  },
  {
    key: 'rank',
    head: 'Rank correlation',
    align: 'end',
    phone: 'hide',
    cell: judged('rankCorrelation', (value) => formatDecimal(value, 2)),
  },
  {
    key: 'last',
    head: 'Skill against the last epoch',
    align: 'end',
    phone: 'hide',
    cell: ({ skill }) => skillText(skill.lastEpoch),
  },
  {
    key: 'mean',
    head: 'Skill against the mean',
    align: 'end',
    phone: 'hide',
    cell: ({ skill }) => skillText(skill.mean),
  },
  {
    key: 'open',
    head: 'Still open / lost',
    align: 'end',
    phone: 'hide',
    cell: ({ pending, lost }) => `${formatCount(pending)} / ${formatCount(lost)}`,
  },
]

function errorFigure(result: Result, level: number): View {
  const { horizon, epochs, coverage } = result
  const [meanAbsoluteError, bias] = [result.meanAbsoluteError ?? 0, result.bias ?? 0]
  const { x, y } = errorsOf(epochs)
  const lean =
    Math.abs(bias) < 0.005
      ? 'as often too high as too low'
      : bias > 0
        ? `on average ${distance(bias)} too low`
        : `on average ${distance(-bias)} too high`
  const held =
    coverage === null
      ? ''
      : ` ${formatShare(coverage, 0)} of outcomes were inside the range given, where ${formatShare(level, 0)} are meant.`
  return h(Figure, {
    title: `Mean error over ${plural(horizon, 'epoch')}, points`,
    level: 2,
    caption: `Projections for ${plural(horizon, 'epoch')} were off by ${distance(meanAbsoluteError)}, ${lean}.${held}`,
    table: () => ({
      head: ['Made in epoch', 'Judged', 'Mean error', 'Bias', 'Inside'],
      rows: epochs
        .toReversed()
        .map((one) => [
          String(one.epoch),
          formatCount(one.forecasts),
          distance(one.meanAbsoluteError),
          formatPoints(one.bias),
          one.coverage === null ? '–' : formatShare(one.coverage, 0),
        ]),
    }),
    children: h(LinePlot, {
      x,
      y,
      height: 170,
      leastSpan: 0.5,
      isFromZero: true,
      formatY: (value: number) => formatDecimal(value, 2),
      formatX: (epoch: number) => `Made in epoch ${epoch}`,
    }),
  })
}

const errorsOf = memoize((epochs: Result['epochs']) => ({
  x: epochs.map(({ epoch }) => epoch),
  y: epochs.map(({ meanAbsoluteError }) => meanAbsoluteError),
}))
