import { styleText } from 'node:util'

type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

/** Width and colours of the output. */
export type Style = {
  readonly columns: number
  readonly paint: (colour: Colour, text: string) => string
}

/** `hasColour` is already decided, so `styleText` must not check the stream again. */
export const styleFor = (columns: number, hasColour: boolean): Style => ({
  columns,
  paint: (colour, text) => (hasColour ? styleText(colour, text, { validateStream: false }) : text),
})

/** By https://no-color.org, FORCE_COLOR as in Node, and TERM=dumb. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}

const BARS = '▁▂▃▄▅▆▇█'

/** A spark line, scaled from the lowest to the highest value. */
export function sparkLine(values: readonly number[], width: number): string {
  const shown = values.length > width ? values.slice(-width) : values
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  const step = high > low ? (BARS.length - 1) / (high - low) : 0
  return shown.map((value) => BARS[Math.round((value - low) * step)]).join('')
}

export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
