import { ENDPOINTS, type EndpointName, type Reply } from '@stakewright/contract'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES, type TokenUnit } from '../networks.ts'
import type { Answer } from './answer.ts'
import type { Endpoint, Endpoints } from './endpoint.ts'

type Uncounted<Name extends EndpointName> =
  | { readonly reply: Omit<Reply<Name>, keyof TokenUnit> }
  | { readonly answer: Answer }

/** Endpoints whose answers still lack the token's symbol and decimals. */
export type UncountedEndpoints = {
  readonly [Name in EndpointName]?: Omit<Endpoint<Name>, 'handle'> & {
    readonly handle: (
      ...call: Parameters<Endpoint<Name>['handle']>
    ) => Uncounted<Name> | Promise<Uncounted<Name>>
  }
}

/** Adds the token of the network to the answers that have it by the contract. It is known without chain data. */
export function countAnswers(network: NetworkName, endpoints: UncountedEndpoints): Endpoints {
  const { token } = NETWORK_RULES[network]
  const counted = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    saysUnit(name) ? { ...endpoint, handle: withUnit(token, toGeneric(endpoint.handle)) } : endpoint,
  ])
  return Object.fromEntries(counted)
}

function saysUnit(name: string): boolean {
  const { reply } = ENDPOINTS[name as EndpointName]
  return 'shape' in reply && 'decimals' in reply.shape
}

type GenericHandle = (...call: readonly unknown[]) => Uncounted<never> | Promise<Uncounted<never>>

const withUnit =
  (token: TokenUnit, handle: GenericHandle) =>
  async (...call: readonly unknown[]) => {
    const served = await handle(...call)
    if ('reply' in served) return { reply: { ...served.reply, ...token } }
    // An export is a text, with nothing beside its items.
    if (typeof served.answer.body === 'string') return served
    return { answer: { ...served.answer, body: { ...toFields(served.answer.body), ...token } } }
  }

/** Every handler is called with what its own name asks for, whoever passes it on. */
const toGeneric = (handle: unknown): GenericHandle => handle as GenericHandle

/** These answers are objects by the contract. */
const toFields = (body: unknown): object => body as object
