import type { OperatedAgent } from '@stakewright/server/operator/operator.ts'

const COLUMNS: readonly (readonly [heading: string, cell: (agent: OperatedAgent) => string])[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['TIER', ({ tier }) => tier],
  ['KEY', ({ keyPrefix }) => `${keyPrefix}…`],
  ['CREATED', ({ createdAt }) => toMinute(createdAt)],
  ['LAST USED', ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : toMinute(lastUsedAt))],
  ['OWNER', ({ owner }) => owner ?? '-'],
  ['NAME', ({ agentName }) => agentName],
]

/** One line per agent, under a line of headings. Names are printable characters: the API takes no others. */
export function agentTable(agents: readonly OperatedAgent[]): string {
  const rows = [
    COLUMNS.map(([heading]) => heading),
    ...agents.map((agent) => COLUMNS.map(([, cell]) => cell(agent))),
  ]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const toMinute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
