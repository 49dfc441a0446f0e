import { ENDPOINT_LIMITS } from '#adapters/sui/connection/endpoint.ts'
import { toEndpointAddress } from '#adapters/sui/connection/endpoint-address.ts'
import type { NodeInfo } from '#adapters/sui/connection/messages.ts'
import { chainNameOf } from '#adapters/sui/networks/networks.ts'
import { openSuiChain, type SuiChain } from '#adapters/sui/open-sui-chain.ts'
import { toSdkTransaction } from '#domain/staking/transactions/sdk-transaction.ts'
import type { Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { checkHolders } from './check-holders.ts'
import { type CheckNeeds, isFresh, type NodeReport } from './node-report.ts'
import { timedFetch } from './timed-fetch.ts'

type Needs = CheckNeeds & { readonly checkMs: number }
type Node = Extract<Config['chain'], { kind: 'sui' }>['nodes'][number]

/** The zero address owns no stake, and every node can answer for it. */
const NOBODY = `0x${'0'.repeat(64)}`
/** Upper bound of the calls of one check; the check's timeout allows each its full time. */
const MAX_CALLS = 30
/** A transaction without commands, which needs no coins: enough to see whether a node offers simulation. */
const NOTHING: SimulationRequest = {
  sender: NOBODY,
  commands: [],
  transaction: toSdkTransaction([], NOBODY),
  agentId: '',
}

/** Reads the network once from each configured node and source, without a store or a running service. */
export function checkNetwork({ chain }: Config, given: CheckNeeds): Promise<readonly NodeReport[]> {
  if (chain.kind === 'sandbox') {
    throw refusal('invalid_input', 'The sandbox has no nodes.', 'Set NETWORK and SUI_RPC_URLS to check some.')
  }
  const { network, nodes, holders } = chain
  const needs = { ...given, checkMs: MAX_CALLS * (given.callMs ?? ENDPOINT_LIMITS.callMs) }
  return Promise.all([
    ...nodes.map((node) => checkNode(network, node, needs)),
    ...(holders ? [checkHolders(network, holders.endpoint, needs)] : []),
  ])
}

async function checkNode(
  network: Parameters<typeof openSuiChain>[0]['network'],
  node: Node,
  { clock, now, callMs, checkMs }: Needs,
): Promise<NodeReport> {
  const problems: string[] = []
  const timed = timedFetch(now)
  let info: NodeInfo | undefined
  await using opened = openSuiChain({
    network,
    nodes: [node],
    clock,
    random: () => 0,
    logger: collectWarnings(problems),
    fetch: timed.fetch,
    limits: { retries: 0, ...(callMs && { callMs, totalMs: checkMs, simulationMs: callMs }) },
    onInfo: (heard) => {
      info = heard
    },
  })
  const snapshot = await valueOrUndefined(opened.readSnapshot(AbortSignal.timeout(checkMs)))
  const { calls, averageMs } = timed.read()
  const at = snapshot?.checkpointAt ?? info?.checkpointAt
  const age = at === undefined ? null : Math.max(0, Math.round((clock.now() - at) / 1000))
  const missing = snapshot
    ? [
        ...(age === null || isFresh(age) ? [] : ['fresh data']),
        ...(await probe(opened, snapshot.epoch.number, { problems, checkMs })),
      ]
    : ['validators']
  const { host, hideSecrets } = toEndpointAddress(node)
  return {
    kind: 'full-node',
    endpoint: host,
    latencyMs: averageMs,
    chain: info ? (chainNameOf(info.chainId) ?? hideSecrets(info.chainName)) : null,
    epoch: snapshot?.epoch.number ?? null,
    validators: snapshot?.validators.length ?? null,
    checkpointAgeSeconds: age,
    calls,
    missing,
    problem: problems[0] ?? null,
  }
}

/** Checks the other reads that the service needs; returns those that failed. */
async function probe(
  chain: SuiChain,
  epoch: number,
  { problems, checkMs }: { readonly problems: string[]; readonly checkMs: number },
): Promise<readonly string[]> {
  const soon = () => AbortSignal.timeout(checkMs)
  const past = await valueOrUndefined(chain.readEpochs(Math.max(0, epoch - 1), soon()))
  const stakes = await valueOrUndefined(chain.stakedTokensOf(NOBODY, soon()))
  const simulated = await valueOrUndefined(chain.simulate?.(NOTHING, soon()) ?? Promise.reject())
  const reason = simulated ? reasonOf(simulated) : 'No answer to a simulation in time.'
  if (reason !== undefined) problems.push(reason)
  return [
    ...(past ? [] : ['past epochs']),
    ...(stakes ? [] : ['stakes of an address']),
    ...(reason === undefined ? [] : ['simulation']),
  ]
}

/** Why there was no simulation; undefined if there was one, with any result. */
const reasonOf = (simulated: Simulation): string | undefined =>
  simulated.kind === 'unavailable' ? simulated.reason : undefined

/** Only success or failure counts here; the reason is in the log. */
const valueOrUndefined = <T>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined)

function collectWarnings(problems: string[]): Logger {
  const silent = () => undefined
  return {
    debug: silent,
    info: silent,
    error: silent,
    warn: (_event, fields) => problems.push(String(fields?.['reason'] ?? '')),
  }
}
