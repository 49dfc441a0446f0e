import type { Client } from '@stakewright/client'
import { refreshQueries } from '../query.ts'
import { call } from '../service.ts'

/**
 * Makes a call that changes the user's data, then refreshes all queries of the user: an action shows up in logs,
 * lists and approvals. Also after a failure, because somebody else may have made the change first. `keep` gets the
 * answer before the refresh: an API key, for example, is only in the answer.
 */
export async function act<T>(
  ask: (client: Client) => Promise<T>,
  keep: (answer: T) => void = () => undefined,
): Promise<void> {
  try {
    keep(await call(ask))
  } finally {
    await refreshQueries('user/')
  }
}
