import { styleText } from 'node:util'

export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

/** How text is laid out for the place it goes to. */
export type Style = {
  readonly columns: number
  readonly paint: (colour: Colour, text: string) => string
}

/** `hasColour` was decided before: the stream must not be asked once more. */
export const styleFor = (columns: number, hasColour: boolean): Style => ({
  columns,
  paint: (colour, text) => (hasColour ? styleText(colour, text, { validateStream: false }) : text),
})

/** https://no-color.org, FORCE_COLOR as Node takes it, and terminals that cannot. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}

const BARS = '▁▂▃▄▅▆▇█'

/** The course of values as one line of bars, lowest to highest. */
export function sparkLine(values: readonly number[], width: number): string {
  const shown = values.length > width ? values.slice(-width) : values
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  const step = high > low ? (BARS.length - 1) / (high - low) : 0
  return shown.map((value) => BARS[Math.round((value - low) * step)]).join('')
}

/** A share of 1 as a bar. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
