import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils'
import { BadWish } from './refusal.ts'
import { U64_MAX } from './values.ts'

/** An object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>

export function refuseUnknown(fields: Fields, known: readonly string[], where: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new BadWish(`${where} has the unknown field ${unknown}; known are ${known.join(', ')}`)
}

export function toFields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new BadWish(`${what} must be an object`)
}

export function toId(value: unknown, name: string): string {
  const isSpelled = typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
  const id = isSpelled ? normalizeSuiAddress(value.toLowerCase()) : ''
  if (isValidSuiAddress(id)) return id
  throw new BadWish(
    `${name} must be an id: 0x and 1 to 64 hex digits. A name or a shortened id is never looked up`,
  )
}

export function toAmount(value: unknown, name: string): bigint {
  const amount = typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value) ? BigInt(value) : 0n
  if (amount > 0n && amount <= U64_MAX) return amount
  throw new BadWish(`${name} must be a string of digits, a whole number of smallest units above 0`)
}

export function toOptionalEpoch(value: unknown, name: string): bigint | undefined {
  if (value === undefined) return undefined
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  const isText = typeof value === 'string' && /^(0|[1-9][0-9]{0,18})$/.test(value)
  if (isNumber || isText) return BigInt(value)
  throw new BadWish(`${name} must be a whole number, or be left out`)
}
