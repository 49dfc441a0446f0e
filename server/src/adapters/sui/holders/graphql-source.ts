import { fromBase58, fromBase64, normalizeStructTag, toHex } from '@mysten/sui/utils'
import type { Clock } from '#ports/clock.ts'
import { type Hide, hideInError } from '../../../secrets/hide-secrets.ts'
import type { Fetch } from '../connection/bounded-fetch.ts'
import { type ConfiguredEndpoint, toEndpointAddress } from '../connection/endpoint-address.ts'
import type { ChainObject } from '../connection/messages.ts'
import { nodeFetch } from '../connection/node-fetch.ts'
import { retryAfterMs } from '../connection/retry-after.ts'
import { check, present, toId, UnusableAnswer } from '../layouts/decode.ts'
import { describeChain, MAINNET_CHAIN_ID, TESTNET_CHAIN_ID } from '../networks/networks.ts'

/** The largest page that the public service gives. */
const PAGE_SIZE = 50
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
const CALL_MS = 10_000

/** One page of all objects of a type, with any owner. Full nodes have no such list over gRPC. */
export const HOLDERS_QUERY = `query StakedTokens($type: String!, $first: Int!, $after: String) {
  chainIdentifier
  checkpoint { timestamp }
  objects(first: $first, after: $after, filter: { type: $type }) {
    pageInfo { hasNextPage endCursor }
    nodes {
      address
      version
      owner {
        __typename
        ... on AddressOwner { address { address } }
        ... on ConsensusAddressOwner { address { address } }
      }
      asMoveObject { contents { bcs type { repr } } }
    }
  }
}` as const

export type OwnedObject = ChainObject & { readonly owner: string }

export type HolderPage = {
  /** Objects owned by an address. */
  readonly objects: readonly OwnedObject[]
  /** The number of objects of the page, with any owner. */
  readonly size: number
  /** The chain's time at the checkpoint of the page. */
  readonly at: number
  /** Undefined on the last page. */
  readonly next: string | undefined
}

export type HolderSource = {
  readonly host: string
  readPage(after: string | undefined, signal: AbortSignal): Promise<HolderPage>
}

/** The source cannot answer now, and may say when to retry. Its message contains no secrets. */
export class SourceFailure extends Error {
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceFailure'
    this.retryAfterMs = retryAfterMs
  }
}

type Needs = {
  readonly endpoint: ConfiguredEndpoint
  readonly chainId: string
  readonly tokenType: string
  readonly clock: Clock
  readonly fetch?: Fetch | undefined
  readonly callMs?: number | undefined
}

/** Reads from Sui's GraphQL RPC, if the operator configures it. */
export function graphqlSource({
  endpoint,
  chainId,
  tokenType,
  clock,
  fetch = globalThis.fetch,
  callMs = CALL_MS,
}: Needs): HolderSource {
  const address = toEndpointAddress(endpoint)
  const ask = nodeFetch(fetch, address, MAX_ANSWER_BYTES)
  const type = normalizeStructTag(tokenType)
  return {
    host: address.host,
    readPage: (after, signal) =>
      readOnce(after, signal).catch((thrown: unknown) => {
        throw thrown instanceof SourceFailure ? thrown : hideInError(thrown, address.hideSecrets)
      }),
  }

  async function readOnce(after: string | undefined, signal: AbortSignal): Promise<HolderPage> {
    const response = await ask(address.baseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: HOLDERS_QUERY,
        variables: { type, first: PAGE_SIZE, after: after ?? null },
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]),
    })
    if (!response.ok)
      throw new SourceFailure(
        response.statusText,
        retryAfterMs(response.headers.get('retry-after') ?? '', clock.now()),
      )
    return toPage(parse(await response.text()), { type, chainId, hide: address.hideSecrets })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnusableAnswer('the answer is no JSON', { cause })
  }
}

/** The answer is untrusted: every field is checked before use. */
type Unknown = { readonly [name: string]: Unknown | undefined } | null | undefined
const fieldsOf = (value: unknown): NonNullable<Unknown> =>
  typeof value === 'object' && value !== null ? (value as NonNullable<Unknown>) : {}
const textOf = (value: unknown, what: string): string => {
  check(typeof value === 'string', `${what} is missing`)
  return value
}

type Wanted = { readonly type: string; readonly chainId: string; readonly hide: Hide }

function toPage(answer: unknown, { type, chainId, hide }: Wanted): HolderPage {
  const { data, errors } = fieldsOf(answer)
  if (Array.isArray(errors) && errors.length > 0)
    throw new SourceFailure(hide(String(fieldsOf(errors[0])['message'])).slice(0, 200))
  const { chainIdentifier, checkpoint, objects } = fieldsOf(data)
  const chain = textOf(chainIdentifier, 'the chain identifier')
  check(
    chain === chainId || chain === shortChainId(chainId),
    `this is ${describeChain(fullChainId(hide(chain).slice(0, 64)))}, not ${describeChain(chainId)}`,
  )
  const at = Date.parse(textOf(fieldsOf(checkpoint)['timestamp'], 'the time of the checkpoint'))
  check(Number.isSafeInteger(at), 'the time of the checkpoint is malformed')
  const { pageInfo, nodes } = fieldsOf(objects)
  check(Array.isArray(nodes) && nodes.length <= PAGE_SIZE, 'the list of objects is missing or too long')
  const { hasNextPage, endCursor } = fieldsOf(pageInfo)
  const hasNext = hasNextPage as unknown
  check(typeof hasNext === 'boolean', 'whether there is a next page is missing')
  return {
    objects: nodes.flatMap((node) => toObject(node, type)),
    size: nodes.length,
    at,
    next: hasNext ? textOf(endCursor, 'the cursor of the next page') : undefined,
  }
}

/** Expands the short id of a known chain. */
const fullChainId = (chain: string): string =>
  [MAINNET_CHAIN_ID, TESTNET_CHAIN_ID].find((known) => shortChainId(known) === chain) ?? chain

/** The first four bytes of the genesis checkpoint's digest. */
const shortChainId = (chainId: string): string => toHex(fromBase58(chainId).slice(0, 4))

function toObject(node: unknown, wanted: string): readonly OwnedObject[] {
  const { address, version, owner, asMoveObject } = fieldsOf(node)
  const { bcs, type } = fieldsOf(fieldsOf(asMoveObject)['contents'])
  const found = normalizeStructTag(textOf(fieldsOf(type)['repr'], 'the type of an object'))
  check(found === wanted, `an object has type ${found}`)
  const kind = fieldsOf(owner)['__typename'] as unknown
  // Objects owned by other objects are not positions.
  if (kind !== 'AddressOwner' && kind !== 'ConsensusAddressOwner') return []
  const by = fieldsOf(fieldsOf(owner)['address'])['address'] as unknown
  return [
    {
      id: toId(textOf(address, 'the id of an object'), 'the id of an object'),
      version: String(present(version, 'the version of an object')),
      type: found,
      contents: fromBase64(textOf(bcs, 'the contents of an object')),
      owner: toId(textOf(by, 'the owner of an object'), 'the owner of an object'),
      initialSharedVersion: undefined,
    },
  ]
}
