import type { BcsType } from '@mysten/sui/bcs'
import { bcs } from '@mysten/sui/bcs'
import { toWhole } from './decode.ts'

/** Layouts of the Move standard library and the Sui framework, as far as the staking contracts use them. */
export const id = bcs.Address
export const u64 = bcs.u64().transform({ input: (value: bigint) => value, output: (text) => BigInt(text) })
export const u128 = bcs.u128().transform({ input: (value: bigint) => value, output: (text) => BigInt(text) })
/** A `u64` that is an epoch, a time or a count. */
export const whole = bcs
  .u64()
  .transform({ input: (value: number) => value, output: (text) => toWhole(BigInt(text), 'a number') })
export const bytes = bcs
  .byteVector()
  .transform({ input: (value: Uint8Array) => value, output: (value) => Uint8Array.from(value) })
export const text = bcs.string()

export const uid = bcs.struct('UID', { id })
/** `Table`, `ObjectTable`, `Bag` and `ObjectBag`: the parent id of the entries, and their number. */
export const table = bcs.struct('Table', { id, size: whole })
export const balance = bcs.struct('Balance', { value: u64 })
export const groupElement = bcs.struct('Element', { bytes })
/** A value stored in a separate dynamic field, whose key is one zero byte. */
export const extendedField = bcs.struct('ExtendedField', { id })
export const EXTENDED_FIELD_KEY = Uint8Array.of(0)

export function vecMap<K, KInput, V, VInput>(key: BcsType<K, KInput>, value: BcsType<V, VInput>) {
  return bcs.vector(bcs.struct('Entry', { key, value }))
}

/** A validator's description of itself, with the same layout on Ika and Walrus. */
export const selfDescription = dynamicField(
  bcs.bool(),
  bcs.struct('Metadata', {
    image_url: text,
    project_url: text,
    description: text,
    extra_fields: vecMap(text, text),
  }),
)

/** The object that holds a dynamic field: its own id, the name, the value. */
export function dynamicField<K, KInput, V, VInput>(name: BcsType<K, KInput>, value: BcsType<V, VInput>) {
  return bcs.struct('Field', { id, name, value })
}
