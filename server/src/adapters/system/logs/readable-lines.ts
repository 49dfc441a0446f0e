import { styleText } from 'node:util'

type Line = Readonly<Record<string, unknown>>
type Output = { write(line: string): void }

const COLOURS = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red' } as const

/** Converts JSON lines of the log to readable ones for a terminal, with the stack of an error below. */
export function readableLines(output: Output, hasColour: boolean): Output {
  const paint = (colour: 'dim' | 'green' | 'yellow' | 'red', text: string) =>
    hasColour ? styleText(colour, text, { validateStream: false }) : text
  return {
    write(json) {
      const { level, time, event, errorStack, ...fields }: Line = JSON.parse(json)
      const clock = paint('dim', String(time).slice(11, 19))
      const name = String(level)
      const colour = Object.entries(COLOURS).find(([known]) => known === name)?.[1] ?? 'dim'
      const text = event === 'request' ? requestText(fields) : `${event}${membersText(fields)}`
      output.write(`${clock} ${paint(colour, name.padEnd(5))} ${text}\n`)
      if (typeof errorStack === 'string') output.write(`${paint('dim', indented(errorStack))}\n`)
    },
  }
}

/** `GET /api/v1/staking/epoch 200 1.3 ms`, then the other fields. */
function requestText({ method, route, status, latencyMs, requestId: _, bytes: __, ...rest }: Line): string {
  return `${method} ${route} ${status} ${latencyMs} ms${membersText(rest)}`
}

const membersText = (fields: Line): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')
