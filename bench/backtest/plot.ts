import { EPOCHS_PER_YEAR } from './market-view.ts'
import type { Track } from './walk-forward.ts'

const SIZE = { width: 1090, height: 520, left: 64, right: 380, top: 40, bottom: 48 }
const COLOURS = [
  '#b0b0b0',
  '#5b8ff9',
  '#e8684a',
  '#f6bd16',
  '#9270ca',
  '#6dc8ec',
  '#117733',
  '#a0522d',
  '#e377c2',
  '#222222',
  '#2f4b7c',
  '#8a8d0f',
  '#d45087',
  '#00a6a6',
  '#ff7c43',
  '#665191',
]

/** Draws an SVG: the net yield of each strategy since the start, in percent of the stake. */
export function plotTracks(tracks: readonly Track[], title: string): string {
  const curves = tracks.map(({ name, epochs, net }) => ({ name, epochs, total: runningSum(net) }))
  const epochs = curves[0]?.epochs ?? []
  const highest = Math.max(0.01, ...curves.flatMap(({ total }) => total))
  const x = (index: number): number =>
    SIZE.left + (index / Math.max(1, epochs.length - 1)) * (SIZE.width - SIZE.left - SIZE.right)
  const y = (value: number): number =>
    SIZE.height - SIZE.bottom - (value / highest) * (SIZE.height - SIZE.top - SIZE.bottom)
  const lines = curves.map(({ total }, index) => {
    const points = total.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    return `<polyline fill="none" stroke="${colour(index)}" stroke-width="2" points="${points}"/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<text x="${SIZE.left}" y="22" font-size="15">${title}</text>`,
    ...grid(highest, y),
    `<text x="${SIZE.left}" y="${SIZE.height - 16}">epoch ${epochs[0] ?? ''}</text>`,
    `<text x="${SIZE.width - SIZE.right}" y="${SIZE.height - 16}" text-anchor="end">epoch ${epochs.at(-1) ?? ''}</text>`,
    ...lines,
    ...legend(curves),
    '</svg>',
    '',
  ].join('\n')
}

function grid(highest: number, y: (value: number) => number): readonly string[] {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = y(part * highest).toFixed(1)
    return (
      `<line x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${at}" y2="${at}" stroke="#dddddd"/>` +
      `<text x="${SIZE.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${(part * highest).toFixed(2)} %</text>`
    )
  })
}

/** The strategies in the order of their final yield, highest first. */
function legend(
  curves: readonly { readonly name: string; readonly total: readonly number[] }[],
): readonly string[] {
  return curves
    .map(({ name, total }, index) => ({ name, last: total.at(-1) ?? 0, index }))
    .toSorted((a, b) => b.last - a.last)
    .map(({ name, last, index }, place) => {
      const at = SIZE.top + 12 + 22 * place
      const left = SIZE.width - SIZE.right + 12
      return `<rect x="${left}" y="${at - 9}" width="12" height="12" fill="${colour(index)}"/><text x="${left + 18}" y="${at + 1}">${last.toFixed(3)} %  ${name}</text>`
    })
}

const colour = (index: number): string => COLOURS[index % COLOURS.length] ?? '#000000'

/** Sums yearly percentages as the yield of one epoch each. */
function runningSum(yearly: readonly number[]): readonly number[] {
  let sum = 0
  return yearly.map((value) => {
    sum += value / EPOCHS_PER_YEAR
    return sum
  })
}
