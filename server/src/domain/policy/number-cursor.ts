import { badCursor } from '../agents/list-agents.ts'

/** The cursor of a list whose items are numbered from 1: the last number of the page before. */
export function readNumberCursor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw badCursor()
}
