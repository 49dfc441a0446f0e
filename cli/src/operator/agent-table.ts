import type { OperatedAgent } from '@stakewright/server/operator/operator.ts'
import { minuteText } from '../render/figures.ts'
import type { Style } from '../render/style.ts'
import { type Column, table } from '../render/table.ts'

const COLUMNS: readonly Column<OperatedAgent>[] = [
  { heading: 'ID', cell: ({ id }) => id },
  { heading: 'STATUS', cell: ({ status }) => status },
  { heading: 'TIER', cell: ({ tier }) => tier },
  { heading: 'KEY', cell: ({ keyPrefix }) => `${keyPrefix}…` },
  { heading: 'CREATED', cell: ({ createdAt }) => minuteText(createdAt) },
  {
    heading: 'LAST USED',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : minuteText(lastUsedAt)),
  },
  { heading: 'OWNER', cell: ({ owner }) => owner },
  { heading: 'NAME', cell: ({ agentName }) => agentName },
]

/** One line per agent. Names are printable characters: the API takes no others. */
export const agentTable = (agents: readonly OperatedAgent[], style: Style): string =>
  table(COLUMNS, agents, style)
