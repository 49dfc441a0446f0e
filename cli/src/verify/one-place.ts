import { Misuse } from '../command.ts'
import { isObject } from '../render/generic-view.ts'

/** Fields that determine which transaction is checked, and against what. */
const NAMES: ReadonlySet<string> = new Set(['transaction', 'wish', 'intent', 'intentId', 'intentSignature'])

/** Names that wallets and tools give to what they sign. Refused in every spelling except the exact `transaction`. */
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
 * Refuses an input with a transaction, a wish or an intent in a place that is not read: somebody could sign that
 * transaction, which was not checked. `input` is the parsed JSON; `isTransaction` recognizes a transaction by content.
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
      // A number is no transaction: a shortened MCP answer counts what it omits under the field's name.
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
    // A field name may be a transaction, too.
    for (const name of Object.keys(value)) open.push({ value: name, isRead: false, isInData })
  }
}

const isCommandOutput = (input: Readonly<Record<string, unknown>>): boolean =>
  input['ok'] === true && isObject(input['data'])

/** The wish in the output of a command. It comes from the service, so it must hold beside the caller's own wish. */
export function foreignWishes(input: unknown): readonly unknown[] {
  if (!isObject(input) || !isCommandOutput(input)) return []
  const { wish } = Object(input['data'])
  return wish === undefined ? [] : [wish]
}

function elsewhere(what: string, isOutput: boolean, isInData: boolean): Misuse {
  const where = isInData ? 'within "data"' : isOutput ? 'beside "data"' : 'deeper inside'
  const read = isOutput
    ? 'Of the output of a command, only "data" is checked, and your wish is given as --wish'
    : 'Only the fields at the top of the object are checked'
  return new Misuse(
    `--input has ${what} ${where}, where it is not checked, so another one than is checked might be signed. ${read}. Remove the one ${where}.`,
  )
}
