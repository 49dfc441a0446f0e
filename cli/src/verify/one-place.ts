import { Misuse } from '../command.ts'
import { isObject } from '../render/generic-view.ts'

/** What says which transaction is checked, and against what. */
const NAMES: ReadonlySet<string> = new Set(['transaction', 'wish', 'intent', 'intentId', 'intentSignature'])

type Item = { readonly value: unknown; readonly isRead: boolean; readonly isInData: boolean }

/**
 * Refuses an input that says in another place than the one that is read which transaction it is about: who signs what
 * is there would sign what was not checked. `input` is the JSON as it came.
 */
export function refuseOtherPlaces(input: unknown): void {
  if (!isObject(input)) return
  const isOutput = isCommandOutput(input)
  // Not recursive, because the text may be nested deeply.
  const open: Item[] = [{ value: input, isRead: !isOutput, isInData: false }]
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, isRead, isInData } = item
    if (typeof value !== 'object' || value === null) continue
    if (!isRead && 'gasData' in value) throw elsewhere('a transaction of the Sui SDK', isOutput, isInData)
    for (const [name, inside] of Object.entries(value)) {
      const isName = NAMES.has(name) && !Array.isArray(value)
      if (isName && isRead) continue
      if (isName) throw elsewhere(`"${name}"`, isOutput, isInData)
      const isData = value === input && name === 'data'
      open.push({ value: inside, isRead: isData && isOutput, isInData: isInData || isData })
    }
  }
}

const isCommandOutput = (input: Readonly<Record<string, unknown>>): boolean =>
  input['ok'] === true && isObject(input['data'])

/** The wish in the output of a command. It is the service's word, not the caller's: it must hold, and replaces none. */
export function foreignWishes(input: unknown): readonly unknown[] {
  if (!isObject(input) || !isCommandOutput(input)) return []
  const { wish } = Object(input['data'])
  return wish === undefined ? [] : [wish]
}

function elsewhere(what: string, isOutput: boolean, isInData: boolean): Misuse {
  const where = isInData ? 'within "data"' : isOutput ? 'beside "data"' : 'deeper inside'
  const read = isOutput
    ? 'Of the output of a command, what is in "data" is read, and your wish is given as --wish'
    : 'What is checked is read from the top of the object'
  return new Misuse(
    `--input has ${what} ${where}, where it is not read, so another one than is checked might be signed. ${read}. Remove the one ${where}.`,
  )
}
