import { bcs } from '@mysten/sui/bcs'

/**
 * Finds transactions in data of unknown shape: a relay may add a second transaction to an answer, beside the one that is
 * checked. A transaction is recognized by what it decodes to, not by its name. False positives are accepted.
 */

/** Fewer bytes cannot hold a transaction; ids and digests are shorter. */
const LEAST_BYTES = 40

/**
 * Whether the value is a transaction: the SDK's JSON, the BCS bytes as a list, or a text with either of them (base64, hex,
 * numbers). The caller must search the members of objects and lists; JSON inside a text is searched here.
 */
export function isTransaction(value: unknown): boolean {
  if (typeof value !== 'string') return isSdkJson(value) || isTransactionData(bytesOf(value))
  const open: unknown[] = [value]
  while (open.length > 0) {
    const inside = open.pop()
    if (typeof inside === 'string') {
      if (SDK_FIELD.test(inside) || bytesIn(inside).some(isTransactionData)) return true
      open.push(...jsonIn(inside))
    } else if (typeof inside === 'object' && inside !== null) {
      if (isTransaction(inside)) return true
      for (const one of Object.values(inside)) open.push(one)
    }
  }
  return false
}

/** Also matches JSON within another text, and quotes that are escaped any number of times. */
const SDK_FIELD = /"gas(?:Data|Config)\\*"\s*:/

const isSdkJson = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ('gasData' in value ||
    'gasConfig' in value ||
    ('inputs' in value && ('commands' in value || 'transactions' in value)))

/** Reads a list of bytes, or the object with numbered fields that `JSON.stringify` makes of a typed array. */
function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'object' || value === null) return NONE
  const names = Object.keys(value)
  const parts: readonly unknown[] = Object.values(value)
  const isList = names.length >= LEAST_BYTES && names.every((name, at) => name === String(at))
  return isList && parts.every(isByte) ? Uint8Array.from(parts.map(Number)) : NONE
}

const NONE = new Uint8Array()

const isByte = (part: unknown): boolean =>
  (typeof part === 'number' || (typeof part === 'string' && /^\d{1,3}$/.test(part))) &&
  Number.isInteger(Number(part)) &&
  Number(part) >= 0 &&
  Number(part) <= 255

/** Decodes the whole text, and each long run in it, as base64, hex, numbers and a binary string. */
function bytesIn(text: string): readonly Uint8Array[] {
  if (text.length < LEAST_BYTES) return []
  const runs = new Set([
    text.replace(/\s+/g, ''),
    ...(text.match(/[A-Za-z0-9+/]{54,}={0,2}/g) ?? []),
    ...(text.match(/[\w-]{54,}={0,2}/g) ?? []),
  ])
  const hexRuns = [text.replace(/0x|[\s:,]/gi, ''), ...(text.match(/[0-9a-f]{80,}/gi) ?? [])]
  const numbers = text.trim().split(/[\s,]+/)
  return [
    ...[...runs].map(fromBase64),
    ...hexRuns.map(fromHex),
    bytesOf(numbers),
    // A binary string.
    /^[\0-\xff]*$/.test(text) ? Uint8Array.from(text, (letter) => letter.charCodeAt(0)) : NONE,
  ]
}

function fromBase64(run: string): Uint8Array {
  const plain = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return NONE
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))
}

function fromHex(run: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})+$/i.test(run)) return NONE
  return Uint8Array.from(run.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/**
 * Whether the bytes are `TransactionData`, alone (0), after the intent prefix that a signature covers (3) or in a signed
 * transaction (4), or a `TransactionKind`.
 */
function isTransactionData(bytes: Uint8Array): boolean {
  if (bytes.length < LEAST_BYTES) return false
  return isKind(bytes) || [0, 3, 4].some((start) => isData(bytes.subarray(start)))
}

function isData(bytes: Uint8Array): boolean {
  try {
    return bcs.TransactionData.parse(bytes).V1.kind.ProgrammableTransaction !== undefined
  } catch {
    return false
  }
}

function isKind(bytes: Uint8Array): boolean {
  try {
    const kind = bcs.TransactionKind.parse(bytes)
    if (!kind.ProgrammableTransaction?.commands.length) return false
    const again = bcs.TransactionKind.serialize(kind).toBytes()
    return again.length === bytes.length && again.every((byte, at) => byte === bytes[at])
  } catch {
    return false
  }
}

/** Parses the text as JSON, and what is between its outermost braces and brackets. */
function jsonIn(text: string): readonly unknown[] {
  const parts = new Set([
    text.trim(),
    text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1),
    text.slice(text.indexOf('['), text.lastIndexOf(']') + 1),
  ])
  return [...parts].flatMap((part) => {
    if (!/^[[{"]/.test(part)) return []
    try {
      return [JSON.parse(part)]
    } catch {
      return []
    }
  })
}
