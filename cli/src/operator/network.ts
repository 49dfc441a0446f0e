import type { NodeReport } from '@stakewright/server/operator/node-report.ts'
import type { Result, Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { type Column, table } from '../render/table.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

const shown = (value: number | string | null): string => (value === null ? '-' : String(value))

const KINDS = { 'full-node': 'full node', graphql: 'GraphQL' } as const

const COLUMNS: readonly Column<NodeReport>[] = [
  { heading: 'ENDPOINT', cell: ({ endpoint }) => endpoint },
  { heading: 'KIND', cell: ({ kind }) => KINDS[kind] },
  { heading: 'LATENCY MS', cell: ({ latencyMs }) => shown(latencyMs), align: 'right' },
  { heading: 'CHAIN', cell: ({ chain }) => shown(chain) },
  { heading: 'EPOCH', cell: ({ epoch }) => shown(epoch), align: 'right' },
  { heading: 'VALIDATORS', cell: ({ validators }) => shown(validators), align: 'right' },
  { heading: 'AGE S', cell: ({ checkpointAgeSeconds }) => shown(checkpointAgeSeconds), align: 'right' },
  { heading: 'CALLS', cell: ({ calls }) => String(calls), align: 'right' },
  { heading: 'MISSING', cell: ({ missing }) => missing.join(', ') || 'nothing' },
]

/** `network check`: reads the network once from every configured node and source, and says what each can do. */
export async function checkNodes(args: readonly string[], { style }: Terminal): Promise<Result> {
  readOptions(args, { options: { json: { type: 'boolean' } } })
  const config = await readOperatorConfig()
  const { checkNetwork } = await loadService(() => import('@stakewright/server/operator/check-network.ts'))
  const nodes = await checkNetwork(config, { clock: { now: Date.now }, now: () => performance.now() })
  const problems = nodes.flatMap(({ endpoint, problem }) => (problem ? [`${endpoint}: ${problem}`] : []))
  const isProblem = nodes.some(({ missing }) => missing.length > 0)
  return {
    data: { nodes },
    text: table(COLUMNS, nodes, style),
    ...(problems.length > 0 && { note: problems.join('\n') }),
    ...(isProblem && { isProblem }),
  }
}
