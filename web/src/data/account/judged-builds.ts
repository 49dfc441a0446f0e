import type { PagedList } from '../pages-of.ts'
import type { AuditEntry } from './agents.ts'

const isBuild = ({ endpoint, status }: AuditEntry): boolean =>
  status === 200 && (endpoint.includes('/agent/tx/') || endpoint.startsWith('mcp:build'))

/** Whether a transaction was built that care can be judged by. What was refused was built neither with care nor without. */
export const hasJudgedBuild = ({ data = [], hasMore }: PagedList<AuditEntry>): boolean =>
  hasMore || data.some(isBuild)
