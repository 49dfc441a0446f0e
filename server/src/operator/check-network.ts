import { toEndpointAddress } from '#adapters/sui/connection/endpoint-address.ts'
import { openSuiChain, type SuiChain } from '#adapters/sui/open-sui-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import { Fault } from '../fault.ts'

type Node = Extract<Config['chain'], { kind: 'sui' }>['nodes'][number]

/** What one full node can do for the service. */
export type NodeReport = {
  /** Host and port; never a credential. */
  readonly endpoint: string
  /** Milliseconds that one call takes, on average. */
  readonly latencyMs: number | null
  /** As the chain calls itself. */
  readonly chain: string | null
  readonly epoch: number | null
  readonly validators: number | null
  readonly checkpointAgeSeconds: number | null
  /** Calls that one read of the whole set takes. */
  readonly calls: number
  /** What the service cannot get from it. */
  readonly missing: readonly string[]
  /** Why, as the node says. */
  readonly problem: string | null
}

/** Nobody stakes from it, and every node can say so. */
const NOBODY = `0x${'0'.repeat(64)}`
const CHECK_MS = 60_000
/** Transactions need data at most this old. */
const FRESH_SECONDS = 60

type Needs = { readonly clock: Clock; readonly now: () => number }

/** Reads the network once from each configured node, without a store and without a service. */
export function checkNetwork({ chain }: Config, { clock, now }: Needs): Promise<readonly NodeReport[]> {
  if (chain.kind === 'sandbox') {
    throw new Fault('invalid_input', 'The sandbox has no nodes. Set NETWORK and SUI_RPC_URLS to check some.')
  }
  return Promise.all(chain.nodes.map((node) => checkNode(chain.network, node, { clock, now })))
}

async function checkNode(
  network: Parameters<typeof openSuiChain>[0]['network'],
  node: Node,
  { clock, now }: Needs,
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
        ...(age !== undefined && age > FRESH_SECONDS ? ['fresh data'] : []),
        ...(await probe(opened, snapshot.epoch.number)),
      ]
    : ['validators']
  return {
    endpoint: toEndpointAddress(node).host,
    latencyMs: averageMs ?? null,
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

function timedFetch(now: () => number) {
  let calls = 0
  let spentMs = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    calls += 1
    const startedAt = now()
    try {
      return await globalThis.fetch(input, init)
    } finally {
      spentMs += now() - startedAt
    }
  }
  return {
    fetch,
    read: () => ({ calls, averageMs: calls === 0 ? undefined : Math.round(spentMs / calls) }),
  }
}

function hear(problems: string[]): Logger {
  const silent = () => undefined
  return {
    debug: silent,
    info: silent,
    error: silent,
    warn: (_event, fields) => problems.push(String(fields?.['reason'] ?? '')),
  }
}
