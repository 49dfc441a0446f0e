import { toEndpointAddress } from '#adapters/sui/connection/endpoint-address.ts'
import { openSuiChain, type SuiChain } from '#adapters/sui/open-sui-chain.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'
import { checkHolders } from './check-holders.ts'
import { type CheckNeeds, isFresh, type NodeReport } from './node-report.ts'
import { timedFetch } from './timed-fetch.ts'

type Node = Extract<Config['chain'], { kind: 'sui' }>['nodes'][number]

/** Nobody stakes from it, and every node can say so. */
const NOBODY = `0x${'0'.repeat(64)}`
const CHECK_MS = 60_000

/** Reads the network once from each configured node and source, without a store and without a service. */
export function checkNetwork({ chain }: Config, needs: CheckNeeds): Promise<readonly NodeReport[]> {
  if (chain.kind === 'sandbox') {
    throw new Fault('invalid_input', 'The sandbox has no nodes. Set NETWORK and SUI_RPC_URLS to check some.')
  }
  const { network, nodes, holders } = chain
  return Promise.all([
    ...nodes.map((node) => checkNode(network, node, needs)),
    ...(holders ? [checkHolders(network, holders.endpoint, { ...needs, checkMs: CHECK_MS })] : []),
  ])
}

async function checkNode(
  network: Parameters<typeof openSuiChain>[0]['network'],
  node: Node,
  { clock, now }: CheckNeeds,
): Promise<NodeReport> {
  const problems: string[] = []
  const timed = timedFetch(now)
  await using opened = openSuiChain({
    network,
    nodes: [node],
    clock,
    random: () => 0,
    logger: hear(problems),
    fetch: timed.fetch,
    limits: { retries: 0 },
  })
  const snapshot = await tried(opened.readSnapshot(AbortSignal.timeout(CHECK_MS)))
  const { calls, averageMs } = timed.read()
  const age = snapshot && Math.max(0, Math.round((clock.now() - snapshot.checkpointAt) / 1000))
  const missing = snapshot
    ? [
        ...(age !== undefined && !isFresh(age) ? ['fresh data'] : []),
        ...(await probe(opened, snapshot.epoch.number)),
      ]
    : ['validators']
  return {
    kind: 'full-node',
    endpoint: toEndpointAddress(node).host,
    latencyMs: averageMs,
    chain: snapshot?.chainName ?? null,
    epoch: snapshot?.epoch.number ?? null,
    validators: snapshot?.validators.length ?? null,
    checkpointAgeSeconds: age ?? null,
    calls,
    missing,
    problem: problems[0] ?? null,
  }
}

/** What the service needs beside the present set. */
async function probe(chain: SuiChain, epoch: number): Promise<readonly string[]> {
  const soon = () => AbortSignal.timeout(CHECK_MS)
  const past = await tried(chain.readEpochs(Math.max(0, epoch - 1), soon()))
  const stakes = await tried(chain.stakedTokensOf(NOBODY, soon()))
  return [...(past ? [] : ['past epochs']), ...(stakes ? [] : ['stakes of an address'])]
}

/** Whether a node fails is what is asked: the reason is in the log. */
const tried = <T>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined)

function hear(problems: string[]): Logger {
  const silent = () => undefined
  return {
    debug: silent,
    info: silent,
    error: silent,
    warn: (_event, fields) => problems.push(String(fields?.['reason'] ?? '')),
  }
}
