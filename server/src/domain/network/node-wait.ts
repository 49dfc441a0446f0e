import type { ChainNodes } from '#ports/chain/chain-nodes.ts'

/**
 * Seconds until this many hosts may be asked again, for `Retry-After`: the pause that a node has requested, or its
 * backoff after failures, may be longer than `atLeast`.
 */
export function secondsUntilAsked(nodes: ChainNodes, hosts: number, atLeast: number): number {
  const waits = new Map<string, number>()
  for (const { host, waitMs } of nodes.states())
    waits.set(host, Math.min(waits.get(host) ?? Number.POSITIVE_INFINITY, waitMs))
  const ascending = [...waits.values()].sort((a, b) => a - b)
  return Math.max(atLeast, Math.ceil((ascending[hosts - 1] ?? 0) / 1_000))
}
