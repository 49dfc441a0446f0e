import { useRef } from 'preact/hooks'
import { numberFrom, readParts } from '../data/address/read-parts.ts'
import { useScoring, useValidators, type Validator } from '../data/queries.ts'
import { setQuery, usePlace } from '../data/router.ts'
import {
  fromPercents,
  PART_NAMES,
  SCORE_PARTS,
  type ScorePart,
  scoreOf,
  toPercents,
  toWeights,
  type Weights,
  withPercent,
} from '../data/score.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { formatCommission, formatDecimal, formatPercent, formatShare } from '../parts/format.ts'
import { h, html, type View } from '../parts/html.ts'
import { skeleton, whenLoaded } from '../parts/state.ts'
import { type Column, Table } from '../parts/table.ts'
import { partReasons } from '../parts/validator/part-reasons.ts'
import { validatorLink } from '../parts/validator-link.ts'
import { scoreBar } from '../plots/score-bar.ts'

const SHOWN = 15

/** How the score is made, and what it would be with the reader's own weights. */
export default function Score(): View {
  const scoring = useScoring()
  const validators = useValidators()
  const { read, unread } = readParts(usePlace().query)
  const weights = read<Weights | undefined>(
    'weights',
    readWeights,
    undefined,
    'it takes three numbers from 0 to 100 such as 50-30-20, and the published weights are used',
  )
  return html`<div class="page">
    <div class="page-head"><div><h1>How the score is made</h1>
      <p class="lede">Up to 100 points: for a yield that can be relied upon, for uptime and for a low commission. Scores rank; how much goes where is what the <a href="/allocate">optimal split</a> is for.</p></div></div>
    ${whenLoaded(
      scoring,
      (data) => {
        const published = toWeights(data.weights)
        const own = weights ?? published
        const reasons = partReasons(data)
        return html`${unreadParts(unread)}<div class="grid">
          <section class="card stack span-5 start" aria-labelledby="weights"><h2 id="weights">Weights</h2><p class="small soft">They always add up to ${formatPercent(100, 0)}: where one gets more, the others get less, in proportion.</p>${h(WeightSliders, { percents: toPercents(own), reasons })}
              <p class="small soft">Published weights: ${SCORE_PARTS.map((part) => `${PART_NAMES[part].toLowerCase()} ${formatShare(published[part], 0)}`).join(', ')}. Yours change this page only, and its address: share it.</p>
              ${weights && html`<div><button type="button" class="button" onClick=${reset}>Back to the published weights</button></div>`}
          </section>
          <section class="span-7 ranking" aria-labelledby="ranking"><div class="section-head"><h2 id="ranking">Ranking with these weights</h2><span class="small soft">the first ${SHOWN}</span></div>
            ${whenLoaded(validators, ({ data: all }) => ranking(all, published, own), skeleton('100%', '480px'))}</section>
          <section class="card stack span-5 start" aria-labelledby="gates"><h2 id="gates">What rules a validator out</h2>
            <p class="small soft">One of these is enough: it scores 0 and gets no stake.</p>
            <ul class="rules small">${data.gates.map(({ rule }) => html`<li>${rule}</li>`)}</ul>
            <p class="small soft">Before ${data.windows['fullTrustAfter'] ?? 10} epochs are completed a score counts in part: as much as there is of them.</p>
          </section>
        </div>`
      },
      skeleton('100%', '480px'),
    )}
  </div>`
}

function readWeights(text: string): Weights | undefined {
  const [apy, uptime, commission, ...more] = text.split('-').map(numberFrom(0, 100))
  if (apy === undefined || uptime === undefined || commission === undefined || more.length > 0)
    return undefined
  return apy + uptime + commission > 0 ? fromPercents(toPercents({ apy, uptime, commission })) : undefined
}

const reset = () => setQuery({ weights: undefined })

type SlidersProps = {
  readonly percents: Weights
  readonly reasons: Readonly<Record<ScorePart, string>>
}

/** The movement of one slider: the weights before it, and those after its last step. */
type Move = { readonly part: ScorePart; readonly from: Weights; readonly to: Weights }

/**
 * While one slider moves, the others keep the proportion that they had before: computed step by step, rounding errors
 * would add up.
 */
function WeightSliders({ percents, reasons }: SlidersProps): View {
  const last = useRef<Move>(undefined)
  const change = (part: ScorePart) => (event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const goesOn = last.current?.part === part && toText(last.current.to) === toText(percents)
    const from = goesOn && last.current ? last.current.from : percents
    const to = withPercent(from, part, Number(event.target.value))
    last.current = { part, from, to }
    setQuery({ weights: toText(to) })
  }
  return html`<div class="weights">${SCORE_PARTS.map(
    (
      part,
    ) => html`<div class="field"><label for=${`weight-${part}`}><span class="key" data-part=${part}>${PART_NAMES[part]}</span><output>${formatPercent(percents[part], 0)}</output></label>
      <input id=${`weight-${part}`} class="range" type="range" min="0" max="100" value=${String(percents[part])} onInput=${change(part)} aria-describedby=${`about-${part}`} />
      <p class="hint" id=${`about-${part}`}>${reasons[part]}</p></div>`,
  )}</div>`
}

const toText = (percents: Weights): string => SCORE_PARTS.map((part) => percents[part]).join('-')

type Ranked = Validator & { readonly own: number; readonly rank: number; readonly before: number }

function ranking(validators: readonly Validator[], published: Weights, own: Weights): View {
  const rankBy = (weights: Weights) =>
    validators
      .flatMap((validator) =>
        validator.components ? [{ validator, score: scoreOf(validator.components, weights) }] : [],
      )
      .toSorted((a, b) => b.score - a.score || (a.validator.id < b.validator.id ? -1 : 1))
  const before = new Map(rankBy(published).map(({ validator }, index) => [validator.id, index + 1]))
  const rows = rankBy(own)
    .slice(0, SHOWN)
    .map(
      ({ validator, score }, index): Ranked => ({
        ...validator,
        own: score,
        rank: index + 1,
        before: before.get(validator.id) ?? 0,
      }),
    )
  return h(Table<Ranked>, {
    label: 'Ranking with these weights',
    rows,
    rowKey: (row: Ranked) => row.id,
    columns: rankColumns(own),
  })
}

const rankColumns = (weights: Weights): readonly Column<Ranked>[] => [
  {
    key: 'name',
    head: 'Validator',
    cell: (row) =>
      html`<span class="name-cell"><span class="rank faint">${row.rank}</span>${validatorLink(row)}</span>`,
  },
  { key: 'move', head: 'Move', cell: ({ rank, before }) => moveText(before - rank) },
  {
    key: 'score',
    head: 'Score',
    cell: (row) =>
      html`<span class="score-cell"><b>${formatDecimal(row.own, 1)}</b>${scoreBar(row, weights)}</span>`,
  },
  {
    key: 'apy',
    head: 'Net APY',
    align: 'end',
    phone: 'hide',
    cell: ({ apy }) => (apy === null ? '–' : formatPercent(apy)),
  },
  {
    key: 'commission',
    head: 'Commission',
    align: 'end',
    phone: 'hide',
    cell: ({ commissionRate }) => formatCommission(commissionRate),
  },
]

function moveText(move: number): View {
  if (move === 0) return html`<span class="move faint">–</span>`
  return move > 0
    ? html`<span class="move good">↑ ${move}</span>`
    : html`<span class="move bad">↓ ${-move}</span>`
}
