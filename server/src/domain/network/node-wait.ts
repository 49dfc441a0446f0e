import type { ChainNodes } from '#ports/chain/chain-nodes.ts'

/**
 * Seconds after which this many hosts may be asked again, for `Retry-After`: a node may have asked for a pause, or be
 * left alone after failures, for longer than a caller would otherwise be told to wait.
 */
export function secondsUntilAsked(nodes: ChainNodes, hosts: number, atLeast: number): number {
  const waits = new Map<string, number>()
  for (const { host, waitMs } of nodes.states())
    waits.set(host, Math.min(waits.get(host) ?? Number.POSITIVE_INFINITY, waitMs))
  const ascending = [...waits.values()].sort((a, b) => a - b)
  return Math.max(atLeast, Math.ceil((ascending[hosts - 1] ?? 0) / 1_000))
}
