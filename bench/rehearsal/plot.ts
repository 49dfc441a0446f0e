import type { RehearsedSplit } from './rehearse.ts'

export type PlottedSplit = RehearsedSplit & { readonly seed: number; readonly tokens: bigint }

const WIDTH = 1000
const LEFT = 380
const RIGHT = 70
const TOP = 64
const ROW = 20
const PROJECTED = '#5b8ff9'
const REALISED = '#e8684a'

/** Draws an SVG: the projected and the realised APY of each split, joined by a line. */
export function plotRehearsals(splits: readonly PlottedSplit[], title: string): string {
  const height = TOP + ROW * splits.length + 40
  const values = splits.flatMap((split) => [projectedOf(split), split.realisedApy])
  const lowest = Math.floor(Math.min(...values))
  const highest = Math.ceil(Math.max(...values))
  const x = (value: number): number =>
    LEFT + ((value - lowest) / Math.max(1, highest - lowest)) * (WIDTH - LEFT - RIGHT)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<text x="12" y="22" font-size="15">${title}</text>`,
    key(LEFT, PROJECTED, 'projected'),
    key(LEFT + 110, REALISED, 'realised'),
    ...grid(lowest, highest, x, height - 30),
    ...splits.map((split, index) => row(split, TOP + ROW * (index + 0.5), x)),
    '</svg>',
    '',
  ].join('\n')
}

const projectedOf = ({ promisedApy, projectedApy }: RehearsedSplit): number => promisedApy ?? projectedApy

const key = (x: number, colour: string, text: string): string =>
  `<circle cx="${x + 6}" cy="46" r="5" fill="${colour}"/><text x="${x + 18}" y="50">${text}</text>`

function grid(lowest: number, highest: number, x: (value: number) => number, bottom: number) {
  return Array.from({ length: highest - lowest + 1 }, (_, index) => {
    const at = x(lowest + index).toFixed(1)
    return `<line x1="${at}" x2="${at}" y1="${TOP}" y2="${bottom}" stroke="#dddddd"/><text x="${at}" y="${bottom + 18}" text-anchor="middle">${lowest + index} %</text>`
  })
}

function row(split: PlottedSplit, y: number, x: (value: number) => number): string {
  const [from, to] = [x(projectedOf(split)).toFixed(1), x(split.realisedApy).toFixed(1)]
  const label = `seed ${split.seed}, ${split.tokens.toLocaleString('en')} tokens: ${split.name}`
  const missed = split.missedShare > 0 ? `${(100 * split.missedShare).toFixed(1)} % missed` : ''
  return [
    `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${label}</text>`,
    `<line x1="${from}" x2="${to}" y1="${y}" y2="${y}" stroke="#888888" stroke-width="2"/>`,
    `<circle cx="${from}" cy="${y}" r="5" fill="${PROJECTED}"/>`,
    `<circle cx="${to}" cy="${y}" r="5" fill="${REALISED}"/>`,
    missed === '' ? '' : `<text x="${Number(from) + 10}" y="${y + 4}" fill="#666666">${missed}</text>`,
  ].join('')
}
