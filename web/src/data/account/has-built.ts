import type { PagedList } from '../lists/paged-list.ts'
import type { AuditEntry } from './agents.ts'

const isBuild = ({ endpoint, status }: AuditEntry): boolean =>
  status === 200 && (endpoint.includes('/agent/tx/') || endpoint.startsWith('mcp:build'))

/** Whether an agent has built a transaction, so that its care can be judged. Refused builds do not count. */
export const hasBuilt = ({ data = [], hasMore }: PagedList<AuditEntry>): boolean =>
  hasMore || data.some(isBuild)
