import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readAudit } from '../../server/test/limits/read-audit.ts'

/** The numbers of logged and of charged requests of the store's only agent. */
export function countRequests(folder: string): { readonly logged: number; readonly charged: number } {
  const { admitted } = readAudit(folder)
  using database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true })
  const row = database.prepare('select sum(day_used) as charged from agent_activity').get()
  return {
    logged: admitted.filter(([, , agentNo]) => agentNo !== 0).length,
    charged: Number(row?.['charged'] ?? 0),
  }
}
