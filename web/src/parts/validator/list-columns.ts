import { headroomOf } from '../../data/changes.ts'
import type { Network } from '../../data/queries.ts'
import type { Weights } from '../../data/score.ts'
import { EPOCHS, type Row, type Sort } from '../../data/validators/list.ts'
import { scoreBar } from '../../plots/score-bar.ts'
import { spark } from '../../plots/spark.ts'
import { uptimeSquares } from '../../plots/uptime-squares.ts'
import { Amount } from '../amount.ts'
import { validatorBadge } from '../badge.ts'
import { formatCommission, formatDecimal, formatPercent, formatShare, formatSignedShare } from '../format.ts'
import { h, html, type View } from '../html.ts'
import type { Column } from '../table.ts'
import { validatorLink } from '../validator-link.ts'

/** The table of validators, column by column. */
export function columnsFor(
  weights: Weights | undefined,
  network: Network | undefined,
  sortedBy: Sort,
  rows: readonly Row[],
): readonly (Column<Row> & { readonly key: Sort })[] {
  // One scale for all: lines can be compared, and noise does not look like a crash.
  const highest = Math.max(0, ...rows.flatMap(({ history }) => history?.apy ?? []).map((apy) => apy ?? 0))
  return [
    {
      key: 'name',
      head: 'Validator',
      first: 'ascending',
      kind: 'text',
      sort: ({ name }) => name.toLowerCase(),
      cell: (row) =>
        html`<span class="name-cell"><span class="rank faint">${row.rank ?? '–'}</span><span class="name-more">${validatorLink(row)}${row.status === 'active' ? null : validatorBadge(row.status)}<span class="small soft" data-phone="only">takes ${commissionCell(row)}</span>${sortedFigure(row, network, sortedBy)}</span></span>`,
    },
    {
      key: 'score',
      head: 'Score',
      sort: ({ score }) => score,
      cell: (row) =>
        html`<span class="score-cell"><b>${row.score === null ? '–' : formatDecimal(row.score, 1)}</b>${scoreBar(row, weights)}</span>`,
    },
    {
      key: 'apy',
      head: 'Net APY',
      align: 'end',
      sort: ({ apy }) => apy,
      cell: (row) =>
        html`<span class="with-spark"><span data-phone="hide">${spark(row.history?.apy ?? [], highest)}</span><span class="number apy">${row.apy === null ? '–' : formatPercent(row.apy)}</span></span>`,
    },
    {
      key: 'commission',
      head: 'Commission',
      align: 'end',
      phone: 'below',
      first: 'ascending',
      sort: ({ commissionRate }) => commissionRate,
      cell: commissionCell,
    },
    {
      key: 'uptime',
      head: `Uptime, ${EPOCHS} epochs`,
      phone: 'below',
      sort: ({ uptime }) => uptime,
      cell: (row) =>
        html`<span class="uptime-cell">${uptimeSquares(row.history?.performed ?? [])}${uptimeFigure(row)}</span>`,
    },
    {
      key: 'stake',
      head: network ? `Stake, ${network.symbol}` : 'Stake',
      align: 'end',
      phone: 'below',
      sort: ({ totalStake }) => Number(totalStake),
      cell: stakeFigure,
    },
    {
      key: 'headroom',
      // Two lines at every width, so that the head has the same height over skeletons and over figures.
      head: 'Above threshold,\nnext epoch',
      align: 'end',
      phone: 'below',
      first: 'ascending',
      sort: (row) => (network ? headroomOf(row, network) : null),
      cell: (row) => (network ? headroomCell(headroomOf(row, network)) : ''),
    },
  ]
}

/** On a phone: the figure that sorts the rows, where its column is left out. */
function sortedFigure(row: Row, network: Network | undefined, sortedBy: Sort): View {
  const figures: Partial<Record<Sort, () => View>> = {
    uptime: () => html`uptime ${uptimeFigure(row)}`,
    stake: () => html`stake ${stakeFigure(row)}`,
    headroom: () => network && html`above threshold ${headroomCell(headroomOf(row, network))}`,
  }
  const figure = figures[sortedBy]
  return figure && html`<span class="small soft" data-phone="only">${figure()}</span>`
}

const uptimeFigure = ({ uptime }: Row): View =>
  html`<span class="number">${uptime === null ? '–' : formatShare(uptime, 1)}</span>`

const stakeFigure = ({ totalStake }: Row): View => h(Amount, { value: totalStake, unit: false })

function commissionCell({ commissionRate, nextCommissionRate }: Row): View {
  const now = html`<span class="number">${formatCommission(commissionRate)}</span>`
  if (commissionRate === nextCommissionRate) return now
  const rises = nextCommissionRate > commissionRate
  return html`${now} <span class=${rises ? 'attention nowrap' : 'good nowrap'} title="announced"><span aria-hidden="true">${rises ? '↑' : '↓'}</span> ${formatCommission(nextCommissionRate)}</span>`
}

const headroomCell = (headroom: number): View =>
  html`<span class=${headroom < 0 ? 'bad number' : headroom < 0.05 ? 'attention number' : 'number'}>${formatSignedShare(headroom, 0)}</span>`
