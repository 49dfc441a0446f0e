import { bcs } from '@mysten/sui/bcs'
import { CHANGES } from './changes.ts'
import type { Random } from './random.ts'

/** Bytes with one byte changed, moved, added or dropped. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length)
  const value = random.below(256)
  switch (random.below(5)) {
    case 0:
      return new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1)])
    case 1:
      return new Uint8Array([...bytes.subarray(0, at), value, ...bytes.subarray(at)])
    case 2:
      return new Uint8Array([...bytes, value])
    case 3: {
      const copy = Uint8Array.from(bytes)
      const other = random.below(bytes.length)
      copy[at] = bytes[other] ?? 0
      copy[other] = bytes[at] ?? 0
      return copy
    }
    default:
      return bytes.with(at, value)
  }
}

/** The transaction with one to three of its parts changed; undefined if the result cannot be serialized. */
export function mutateParts(bytes: Uint8Array, random: Random): Uint8Array | undefined {
  try {
    const data = parsedOnce(bytes)
    const programmable = data.V1.kind.ProgrammableTransaction
    if (!programmable) return undefined
    for (let count = 1 + random.below(3); count > 0; count--)
      random.pick(CHANGES)(data.V1, programmable, random)
    return bcs.TransactionData.serialize(data).toBytes()
  } catch {
    return undefined
  }
}

const parsed = new WeakMap<Uint8Array, ReturnType<typeof bcs.TransactionData.parse>>()

/** Parses once and returns copies to change, because copying is faster than parsing. */
function parsedOnce(bytes: Uint8Array) {
  const known = parsed.get(bytes) ?? bcs.TransactionData.parse(bytes)
  parsed.set(bytes, known)
  return structuredClone(known)
}
