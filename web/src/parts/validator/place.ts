import { headroomOf, nextStakeOf, seatStakeOf } from '../../data/changes.ts'
import type { Network, Validator } from '../../data/queries.ts'
import { stakeStrip } from '../../plots/stake-strip.ts'
import { Figure } from '../figure.ts'
import { formatDecimal, formatShare, formatSignedShare, formatTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { nameText, validatorLink } from '../validator-link.ts'

const NEIGHBOURS = 3

type Props = { readonly validator: Validator; readonly all: readonly Validator[]; readonly network: Network }

/** The validator's place in the committee, its distance to the threshold, and its neighbours. */
export function Place({ validator, all, network }: Props): View {
  const threshold = seatStakeOf(validator, network)
  // A leaving validator holds no seat with its coming stake.
  const staying = all.filter(({ status }) => status === 'active' || status === 'pending')
  const ordered = [...new Set([...staying, validator])].toSorted((a, b) =>
    Number(nextStakeOf(b) - nextStakeOf(a)),
  )
  const index = ordered.findIndex(({ id }) => id === validator.id)
  const near = ordered.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1)
  const headroom = headroomOf(validator, network)
  const caption = captionOf(validator, { headroom, rank: index + 1, count: ordered.length })
  return html`<h2 id="place" class="visually-hidden">Its place in the committee</h2>${h(Figure, {
    title: 'Its place in the committee',
    level: 2,
    caption,
    table: () => ({
      head: ['Validator', 'Coming stake', 'Above threshold, next epoch'],
      rows: ordered.map((one) => [
        nameText(one.name),
        formatTokens(nextStakeOf(one), network.decimals),
        formatSignedShare(headroomOf(one, network), 1),
      ]),
    }),
    children: stakeStrip({
      dots: ordered.map((one) => ({ id: one.id, stake: nextStakeOf(one) })),
      own: validator.id,
      threshold,
      decimals: network.decimals,
    }),
  })}
  <div style=${{ height: '12px' }}></div>
  <table class="table-plain"><caption class="visually-hidden">Nearest by coming stake</caption><thead><tr><th scope="col">Near it</th><th scope="col" data-align="end">Coming stake</th><th scope="col" data-align="end">Score</th></tr></thead>
    <tbody>${near.map((one) => html`<tr><td>${one.id === validator.id ? html`<strong>${nameText(one.name)}</strong>` : validatorLink(one)}</td><td data-align="end">${formatTokens(nextStakeOf(one), network.decimals)}</td><td data-align="end">${one.score === null ? '–' : formatDecimal(one.score, 1)}</td></tr>`)}</tbody></table>`
}

type Standing = { readonly headroom: number; readonly rank: number; readonly count: number }

function captionOf({ status }: Validator, { headroom, rank, count }: Standing): string {
  const away = `${formatShare(Math.abs(headroom), 1)} ${headroom < 0 ? 'below' : 'above'} what a seat needs`
  if (status === 'leaving') return 'It is in the committee for the last time: its coming stake holds no seat.'
  if (status === 'candidate' || status === 'inactive') return `It has no seat. Its coming stake is ${away}.`
  return headroom < 0
    ? `It is ${away}: it loses its place unless stake arrives.`
    : `It is number ${rank} of the ${count} who stay or join, by coming stake, ${away}.`
}
