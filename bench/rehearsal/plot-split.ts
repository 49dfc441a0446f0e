import type { Reply } from '@stakewright/contract'

type Split = Pick<Reply<'allocate'>, 'allocations' | 'explanation' | 'decimals' | 'symbol'>

const SIZE = { width: 1000, height: 480, left: 64, right: 220, top: 48, bottom: 52 }
const COLOURS = ['#5b8ff9', '#e8684a', '#f6bd16', '#9270ca', '#117733', '#b0b0b0']

/**
 * Draws an SVG: the marginal rate of each chosen validator by the amount staked there. The split ends where all curves
 * have fallen to the same rate: moving a token could not earn more.
 */
export function plotSplit({ allocations, explanation, decimals, symbol }: Split, title: string): string {
  const curves = explanation?.curves ?? []
  const points = curves.flatMap((curve) => curve.points)
  const amount = (text: string): number => Number(text) / 10 ** decimals / 1e6
  const most = Math.max(...points.map((point) => amount(point.amount)))
  const rates = points.map(({ marginalRate }) => marginalRate)
  const [lowest, highest] = [Math.floor(Math.min(...rates)), Math.ceil(Math.max(...rates))]
  const x = (value: number): number => SIZE.left + (value / most) * (SIZE.width - SIZE.left - SIZE.right)
  const y = (rate: number): number =>
    SIZE.height -
    SIZE.bottom -
    ((rate - lowest) / (highest - lowest)) * (SIZE.height - SIZE.top - SIZE.bottom)
  const nameOf = new Map(allocations.map(({ validatorId, name }) => [validatorId, name]))
  const level = y(explanation?.marginalRate ?? 0).toFixed(1)
  const right = SIZE.width - SIZE.right
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<text x="12" y="22" font-size="15">${title}</text>`,
    ...ticks(lowest, highest, y, right),
    `<text x="${right}" y="${SIZE.height - 14}" text-anchor="end">${most.toFixed(1)} million ${symbol}</text>`,
    `<text x="${SIZE.left}" y="${SIZE.height - 14}">0: staked there by this split</text>`,
    `<line x1="${SIZE.left}" x2="${right}" y1="${level}" y2="${level}" stroke="#222222" stroke-dasharray="5 4"/>`,
    `<text x="${SIZE.left + 6}" y="${Number(level) + 16}">the same rate for all: here the split stops</text>`,
    ...curves.map((curve, index) => {
      const line = curve.points.map(
        (one) => `${x(amount(one.amount)).toFixed(1)},${y(one.marginalRate).toFixed(1)}`,
      )
      const colour = COLOURS[index % COLOURS.length] ?? '#000000'
      const at = SIZE.top + 12 + 22 * index
      const name = nameOf.get(curve.validatorId) ?? 'the next one, not chosen'
      return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${line.join(' ')}"/><rect x="${right + 16}" y="${at - 9}" width="12" height="12" fill="${colour}"/><text x="${right + 34}" y="${at + 1}">${escaped(name)}</text>`
    }),
    ...allocations.map((one) => {
      const at = x(amount(one.amount)).toFixed(1)
      return `<circle cx="${at}" cy="${level}" r="4" fill="#222222"/>`
    }),
    '</svg>',
    '',
  ].join('\n')
}

const ticks = (lowest: number, highest: number, y: (rate: number) => number, right: number) =>
  Array.from({ length: highest - lowest + 1 }, (_, index) => {
    const at = y(lowest + index).toFixed(1)
    return `<line x1="${SIZE.left}" x2="${right}" y1="${at}" y2="${at}" stroke="#dddddd"/><text x="${SIZE.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${lowest + index} %</text>`
  })

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
