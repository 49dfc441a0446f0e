import type { SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { openSuiChain } from '#adapters/sui/open-sui-chain.ts'
import { startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { type FakeGraphql, startFakeGraphql } from '../fake-full-node/graphql-server.ts'
import { NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { type DescribedNetwork, idOf } from '../fake-full-node/world.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { soon, WORLDS } from './opened-chain.ts'

export const TOKEN = 1_000_000_000n
export const ALL = { after: undefined, limit: 100 }

/** The sample network with 120 more tokens of 60 addresses at one validator: more than two pages. */
export function crowdedNetwork(changes: Partial<DescribedNetwork> = {}): DescribedNetwork {
  const sample = sampleNetwork(changes)
  const more = Array.from({ length: 120 }, (_, at) => ({
    id: idOf(0x5000 + at),
    owner: idOf(0x6000 + Math.floor(at / 2)),
    validatorId: VALIDATORS.steady,
    principal: BigInt(at + 1) * TOKEN,
    activationEpoch: 30,
  }))
  return { ...sample, tokens: [...sample.tokens, ...more] }
}

export async function openListed(
  network: SuiNetworkName,
  { described = crowdedNetwork(), maxObjects = 1_000, prepare = (_: FakeGraphql) => {} } = {},
) {
  const stack = new AsyncDisposableStack()
  const world = WORLDS[network](described)
  const node = stack.use(await startFakeFullNode(world))
  const graphql = stack.use(await startFakeGraphql(world))
  prepare(graphql)
  const time = { now: NOW }
  const [pauses, warnings]: [number[], string[]] = [[], []]
  const chain = stack.use(
    openSuiChain({
      network,
      nodes: [{ url: node.url }],
      clock: { now: () => time.now },
      random: () => 0,
      logger: {
        ...silentLogger,
        warn: (event, fields) => void warnings.push(`${event}: ${fields?.['reason']}`),
      },
      limits: { callMs: 20_000, totalMs: 60_000 },
      holders: {
        endpoint: { url: `${graphql.url}?key=geheim123`, headers: { 'x-token': 'geheim456' } },
        maxObjects,
        pause: async (ms) => void pauses.push(ms),
      },
    }),
  )
  /** Asks for delegators, which starts a list, and again when the list is complete. */
  const listed = async (validatorId: string = VALIDATORS.steady, page = ALL) => {
    await chain.delegatorsOf(validatorId, page, soon())
    await chain.holdersListed()
    return chain.delegatorsOf(validatorId, page, soon())
  }
  const opened = { chain, node, graphql, pauses, warnings, listed }
  return Object.assign(time, opened, { [Symbol.asyncDispose]: () => stack.disposeAsync() })
}
