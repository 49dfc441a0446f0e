import type { NodeReport } from '@stakewright/server/operator/node-report.ts'
import { readTimeout } from '../api/connection.ts'
import { Refusal, type Result, type Terminal } from '../command.ts'
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

/** `network check`: reads the network once from every configured node and source, and reports what each supports. */
export async function checkNodes(args: readonly string[], { env, style }: Terminal): Promise<Result> {
  const { values } = readOptions(args, {
    options: { json: { type: 'boolean' }, timeout: { type: 'string' } },
  })
  const callMs = values.timeout === undefined ? undefined : readTimeout(values.timeout)
  const config = await readOperatorConfig(env)
  const { checkNetwork } = await loadService(() => import('@stakewright/server/operator/check-network.ts'))
  const needs = { clock: { now: Date.now }, now: () => performance.now(), callMs }
  const nodes = await checkNetwork(config, needs)
  return { data: { nodes }, text: table(COLUMNS, nodes, style), problem: problemOf(nodes) }
}

function problemOf(nodes: readonly NodeReport[]): Refusal | undefined {
  const lacking = nodes.filter(({ missing }) => missing.length > 0)
  if (lacking.length === 0) return undefined
  const lines = lacking.map(
    ({ endpoint, missing, problem }) => `${endpoint}: ${problem ?? `lacks ${missing.join(', ')}`}`,
  )
  return new Refusal(
    'check_failed',
    [`${lacking.length} of ${nodes.length} cannot do everything.`, ...lines].join('\n'),
    'Correct or replace them in SUI_RPC_URLS or SUI_GRAPHQL_URL; docs/full-nodes.md says what each must do.',
  )
}
