import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'
import { MAX_U64 } from '../../../basics/u64.ts'
import { Fault } from '../../../fault.ts'

/** Refuses malformed commands. `field` is the path of the bad value. */
export function refuse(field: string, message: string): never {
  throw new Fault('invalid_input', `${field}: ${message}`, {
    details: [{ field, message }],
    fix: `Correct \`${field}\` and send the request again.`,
  })
}

const ID = /^0x[0-9a-f]{64}$/
const U64 = /^(?:0|[1-9][0-9]{0,19})$/

export function readId(value: unknown, field: string): string {
  const id = typeof value === 'string' ? value.toLowerCase() : ''
  return ID.test(id) ? id : refuse(field, 'give an id: 0x and 64 hexadecimal digits.')
}

export function readU64(value: unknown, field: string): bigint {
  const amount = typeof value === 'string' && U64.test(value) ? BigInt(value) : undefined
  if (amount !== undefined && amount <= MAX_U64) return amount
  return refuse(field, 'give a whole number from 0 to 18446744073709551615, as a decimal text.')
}

type Shape = Readonly<Record<string, 'string' | 'boolean' | 'strings' | 'arguments'>>

const COMMANDS: Readonly<Record<string, Shape>> = {
  coin: { id: 'string', coinType: 'string', amount: 'string' },
  moveCall: { id: 'string', target: 'string', typeArguments: 'strings', arguments: 'arguments' },
  transferToSender: { objects: 'arguments' },
} satisfies Record<Command['kind'], Shape>

const ARGUMENTS: Readonly<Record<string, Shape>> = {
  sharedObject: { objectId: 'string', initialSharedVersion: 'string', mutable: 'boolean' },
  ownedObject: { objectId: 'string' },
  pure: { type: 'string', value: 'string' },
  result: { of: 'string' },
} satisfies Record<CommandArgument['kind'], Shape>

export function checkCommand(command: unknown, field: string): void {
  checkShape(command, COMMANDS, field)
}

function checkShape(value: unknown, shapes: Readonly<Record<string, Shape>>, field: string): void {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  const kind = fields.get('kind')
  const shape = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined
  if (shape === undefined) refuse(field, `its kind is one of ${Object.keys(shapes).join(', ')}.`)
  for (const [name, type] of Object.entries(shape)) checkField(fields.get(name), type, `${field}.${name}`)
}

function checkField(value: unknown, type: Shape[string], field: string): void {
  if (type === 'string' || type === 'boolean') {
    if (typeof value !== type) refuse(field, `give a ${type}.`)
    return
  }
  if (!Array.isArray(value)) refuse(field, 'give a list.')
  for (const [index, item] of value.entries()) {
    if (type === 'arguments') checkShape(item, ARGUMENTS, `${field}[${index}]`)
    else checkField(item, 'string', `${field}[${index}]`)
  }
}
