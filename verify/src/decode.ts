import { bcs } from '@mysten/sui/bcs'
import { TransactionDataBuilder } from '@mysten/sui/transactions'
import { normalizeSuiAddress } from '@mysten/sui/utils'
import { checkJson } from './json/check-json.ts'
import { Refusal } from './refusal.ts'

type Data = ReturnType<TransactionDataBuilder['snapshot']>
export type Input = Data['inputs'][number]
export type Command = Data['commands'][number]
export type Argument = NonNullable<Command['TransferObjects']>['address']

type Parts = Pick<Data, 'sender' | 'gasData' | 'expiration' | 'inputs' | 'commands'>

export type Decoded = {
  /** `bytes` are final. `json` is still completed by the SDK: gas, coins and versions of objects. */
  readonly form: 'bytes' | 'json'
  readonly sender: string | null
  readonly gas: Data['gasData']
  readonly expiration: Data['expiration']
  readonly inputs: readonly Input[]
  readonly commands: readonly Command[]
  /** The digest that wallets and explorers show; undefined while it may change. */
  digest(): string | undefined
  /** Refuses non-canonical encodings and trailing bytes: a wallet would show another digest. */
  refuseOtherForms(): void
}

/**
 * Decodes transaction bytes (BCS of `TransactionData`, raw or base64) or the SDK's JSON of version 2 (parsed or
 * text).
 */
export function decode(transaction: unknown): Decoded {
  if (transaction instanceof Uint8Array) return decodeBytes(transaction)
  if (typeof transaction !== 'string') return decodeJson(transaction)
  const text = transaction.trim()
  return text.startsWith('{') ? decodeJson(parseJson(text)) : decodeBytes(readBase64(text))
}

const readBase64 = (text: string): Uint8Array =>
  attempt('base64', () => {
    const binary = atob(text)
    if (btoa(binary) !== text) throw new Error('the text is no plain base64')
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  })

function decodeBytes(bytes: Uint8Array): Decoded {
  const data = attempt('BCS of TransactionData', () => {
    const { V1: parsed } = bcs.TransactionData.parse(bytes)
    const programmable = parsed.kind.ProgrammableTransaction
    if (!programmable) throw new Error('it is no programmable transaction')
    return { ...parsed, ...programmable }
  })
  return {
    ...toDecoded(data, 'bytes'),
    digest: () => TransactionDataBuilder.getDigestFromBytes(bytes),
    refuseOtherForms: () =>
      attempt('bytes in canonical form', () => {
        if (!isEqual(bcs.TransactionData.serialize({ V1: data }).toBytes(), bytes))
          throw new Error('a non-canonical encoding or trailing bytes')
      }),
  }
}

function decodeJson(value: unknown): Decoded {
  const data = attempt('the SDK’s JSON of version 2', () => {
    checkJson(value, 'it')
    return TransactionDataBuilder.restore(
      value as Parameters<typeof TransactionDataBuilder.restore>[0],
    ).snapshot()
  })
  return { ...toDecoded(data, 'json'), digest: () => undefined, refuseOtherForms: () => {} }
}

const toDecoded = (data: Parts, form: Decoded['form']) => ({
  form,
  sender: data.sender ? normalizeSuiAddress(data.sender) : null,
  gas: data.gasData,
  expiration: data.expiration,
  inputs: data.inputs,
  commands: data.commands,
})

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])

function attempt<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new Refusal('encoding', what, reason.slice(0, 200))
  }
}

const parseJson = (text: string): unknown =>
  attempt('JSON', () => {
    const value: unknown = JSON.parse(text)
    // Of duplicate keys `JSON.parse` keeps the last one, and another parser may keep the first.
    const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon)
    if (names.length !== countNames(value)) throw new Error('a duplicate field name')
    return value
  })

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value).reduce((sum: number, one) => sum + countNames(one), 0)
  return Array.isArray(value) ? inner : inner + Object.keys(value).length
}
