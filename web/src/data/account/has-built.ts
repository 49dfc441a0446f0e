import type { PagedList } from '../lists/paged-list.ts'
import { isBuild } from '../words/request-words.ts'
import type { AuditEntry } from './agents.ts'

/** Whether an agent has built a transaction, so that its care can be judged. Refused builds do not count. */
export const hasBuilt = ({ data = [], hasMore }: PagedList<AuditEntry>): boolean =>
  hasMore || data.some(({ endpoint, status }) => status === 200 && isBuild(endpoint))
