import assert from 'node:assert/strict'
import type { Client } from '@stakewright/client'
import type { SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import { type FakeFullNode, startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { NOW, sampleNetwork } from '../fake-full-node/sample-network.ts'
import type { DescribedNetwork, World } from '../fake-full-node/world.ts'
import { sampleWorld, WORLDS } from '../sui/opened-chain.ts'
import { signIn } from './registered-agent.ts'
import { openTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import { testClock } from './test-clock.ts'

export type ChainApp = TestApp & {
  /** The full nodes it reads from, in the order of its configuration. */
  readonly nodes: readonly FakeFullNode[]
  /** A client with the key of a builder agent, whose limits are too high to matter. */
  readonly agent: Client
}

/** No timer reads the chain: the test reads it when it needs to, as often as it needs to. */
const QUIET = { REFRESH_MS: '30000', LIMIT_IP_RPM: '100000' }
const GENEROUS = { SUI_RPC_CALLS: '1000000' }

/** The whole service on fake full nodes, at the time of their world. */
export async function openChainApp(
  network: SuiNetworkName,
  worlds: readonly World[] = [sampleWorld(network)],
  more: Readonly<Record<string, string>> = {},
  nodeLimits: NonNullable<TestAppOptions['nodeLimits']> = {},
): Promise<ChainApp> {
  await using opened = new AsyncDisposableStack()
  const nodes: FakeFullNode[] = []
  for (const world of worlds) nodes.push(opened.use(await startFakeFullNode(world)))
  const urls = nodes.map(({ url }) => url).join()
  const env = { ...QUIET, ...GENEROUS, NETWORK: network, SUI_RPC_URLS: urls, ...more }
  const app = opened.use(await openTestApp({ env, nodeLimits, runsJobs: false, clock: testClock(NOW) }))
  const agent = await builderOf(app)
  const resources = opened.move()
  return { ...app, nodes, agent, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

export async function openSandboxApp(): Promise<Omit<ChainApp, 'nodes'>> {
  const app = await openTestApp({ env: QUIET })
  return { ...app, agent: await builderOf(app) }
}

export const openAppOn = (network: NetworkName) =>
  network === 'sandbox' ? openSandboxApp() : openChainApp(network)

/** The app on the sample network with additional tokens. */
export function openChainHolding(network: SuiNetworkName, tokens: DescribedNetwork['tokens']) {
  const sample = sampleNetwork()
  return openChainApp(network, [WORLDS[network]({ ...sample, tokens: [...sample.tokens, ...tokens] })])
}

/** The sandbox ignores `tokens`: it has what the test stakes in it. */
export const openAppHolding = (network: NetworkName, tokens: DescribedNetwork['tokens']) =>
  network === 'sandbox' ? openSandboxApp() : openChainHolding(network, tokens)

async function builderOf(app: TestApp): Promise<Client> {
  const token = await signIn(app, 'builder@example.com')
  const { data } = await app.client({ token }).registerAgent({ agentName: 'builder', tier: 'builder' })
  assert.equal(data.tier, 'builder')
  return app.client({ apiKey: data.apiKey })
}
