import { Fault } from '../../fault.ts'

/** The cursor of a list whose items are numbered from 1: the last number of the page before. */
export function readNumberCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const message = 'is not a `nextCursor` of this list'
  const fix = 'Leave out `cursor` to begin at the first page.'
  throw new Fault('invalid_input', `\`cursor\` ${message}. ${fix}`, {
    details: [{ field: 'cursor', message }],
    fix,
  })
}
