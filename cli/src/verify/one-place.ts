import { Misuse } from '../command.ts'
import { isObject } from '../render/generic-view.ts'

/** What says which transaction is checked, and against what. */
const NAMES: ReadonlySet<string> = new Set(['transaction', 'wish', 'intent', 'intentId', 'intentSignature'])

/** What wallets and tools call what they sign, in any spelling: never there without being read. */
const SIGNED_NAMES: ReadonlySet<string> = new Set([
  'bytes',
  'rawtransaction',
  'serializedtransaction',
  'transaction',
  'transactionblock',
  'transactionblockbytes',
  'transactionbytes',
  'transactiondata',
  'tx',
  'txbytes',
  'txdata',
  'unsignedtransaction',
])

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

type Item = { readonly value: unknown; readonly isRead: boolean; readonly isInData: boolean }

/**
 * Refuses an input that says in another place than the one that is read which transaction it is about: who signs what
 * is there would sign what was not checked. `input` is the JSON as it came, and `isTransaction` tells one that is bytes.
 */
export function refuseOtherPlaces(input: unknown, isTransaction: (value: unknown) => boolean): void {
  if (!isObject(input)) return
  const isOutput = isCommandOutput(input)
  // Not recursive, because the text may be nested deeply.
  const open: Item[] = [{ value: input, isRead: !isOutput, isInData: false }]
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, isRead, isInData } = item
    if (!isRead && isTransaction(value)) throw elsewhere('another transaction', isOutput, isInData)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inside] of Object.entries(value)) {
      // What a tool has left out is counted by its name.
      if (typeof inside === 'number') continue
      const isName = NAMES.has(name)
      if (isName && !isRead) throw elsewhere(`"${name}"`, isOutput, isInData)
      if (!isName && SIGNED_NAMES.has(plain(name)))
        throw elsewhere(`"${plain(name)}", what wallets sign,`, isOutput, isInData)
      const isData = value === input && name === 'data'
      if (name === 'transaction') continue
      open.push({ value: inside, isRead: isData && isOutput, isInData: isInData || isData })
    }
    if (Array.isArray(value)) continue
    // Also as a name.
    for (const name of Object.keys(value)) open.push({ value: name, isRead: false, isInData })
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
