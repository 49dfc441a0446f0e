import { BcsType, bcs } from '@mysten/sui/bcs'
import { toWhole } from './decode.ts'

const ID_BYTES = 32

// Layouts of the Move standard library and the Sui framework, as far as the staking contracts use them.

/** An object id or an address. The SDK's `Address` converts each byte by itself, several times for each value. */
export const id = new BcsType<string, string>({
  name: 'Address',
  read: (reader) => `0x${Buffer.from(reader.readBytes(ID_BYTES)).toString('hex')}`,
  write: (value, writer) => {
    for (const byte of idBytes(value)) writer.write8(byte)
  },
  serializedSize: () => ID_BYTES,
  validate: (value) => {
    if (!IS_ID.test(value)) throw new Error(`Not an address: ${value}`)
  },
})
const IS_ID = /^0x[0-9a-f]{1,64}$/i
const idBytes = (value: string) => Buffer.from(value.slice('0x'.length).padStart(2 * ID_BYTES, '0'), 'hex')

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
