import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'
import type { ConfiguredEndpoint } from '#adapters/sui/connection/endpoint-address.ts'
import {
  type Contracts,
  NETWORKS,
  type NetworkConstants,
  type SuiNetworkName,
} from '#adapters/sui/networks/networks.ts'
import { openSuiChain } from '#adapters/sui/open-sui-chain.ts'
import type { Logger } from '#ports/logger.ts'
import { type FakeFullNode, startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { ikaWorld } from '../fake-full-node/ika-world.ts'
import { PATIENT_NODES } from '../fake-full-node/patient-nodes.ts'
import { NOW, sampleNetwork } from '../fake-full-node/sample-network.ts'
import { suiWorld } from '../fake-full-node/sui-world.ts'
import { walrusWorld } from '../fake-full-node/walrus-world.ts'
import type { DescribedNetwork, World } from '../fake-full-node/world.ts'

const WORLDS_OF = { ika: ikaWorld, walrus: walrusWorld, sui: suiWorld } as const satisfies Record<
  Contracts,
  (network: DescribedNetwork, constants: NetworkConstants) => World
>

/** The cast holds because there is a row for each network. */
export const WORLDS = Object.fromEntries(
  Object.values(NETWORKS).map((constants) => [
    constants.name,
    (network: DescribedNetwork) => WORLDS_OF[constants.contracts](network, constants),
  ]),
) as Record<SuiNetworkName, (network: DescribedNetwork) => World>

const samples = new Map<SuiNetworkName, World>()

/** The sample network as a world. Cached, because worlds are immutable. */
export function sampleWorld(network: SuiNetworkName): World {
  const world = samples.get(network) ?? WORLDS[network](sampleNetwork())
  samples.set(network, world)
  return world
}

export const soon = () => AbortSignal.timeout(60_000)

export type Warning = { readonly event: string; readonly reason: string }

export type TestChain = AsyncDisposable & {
  readonly chain: ReturnType<typeof openSuiChain>
  readonly nodes: readonly FakeFullNode[]
  readonly warnings: readonly Warning[]
  /** The time of the chain's clock. */
  now: number
}

const GENEROUS = { callsPerWindow: 1_000_000 }

/** A chain that reads from fake full nodes. `random` is 0, so retries follow at once. */
export async function openTestChain(
  network: SuiNetworkName,
  worlds: readonly World[] = [sampleWorld(network)],
  limits: Partial<EndpointLimits> = {},
  configure: (url: string) => ConfiguredEndpoint = (url) => ({ url }),
): Promise<TestChain> {
  const stack = new AsyncDisposableStack()
  const nodes: FakeFullNode[] = []
  for (const world of worlds) nodes.push(stack.use(await startFakeFullNode(world)))
  const warnings: Warning[] = []
  const silent = () => undefined
  const logger: Logger = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (event, fields) => warnings.push({ event, reason: String(fields?.['reason']) }),
  }
  const time = { now: NOW }
  const chain = stack.use(
    openSuiChain({
      network,
      nodes: nodes.map((node) => configure(node.url)),
      clock: { now: () => time.now },
      random: () => 0,
      logger,
      limits: { ...PATIENT_NODES, ...GENEROUS, ...limits },
    }),
  )
  return Object.assign(time, {
    chain,
    nodes,
    warnings,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  })
}
