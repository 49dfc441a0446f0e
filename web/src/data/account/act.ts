import type { Client } from '@stakewright/client'
import { refreshQueries } from '../query.ts'
import { call } from '../service.ts'

/**
 * Changes something of the user's, after which everything that is known of the user is asked for again, wherever it is
 * shown: each action stands in a log, moves an agent from list to list, or ends what waited. Also after a failure, since
 * somebody else may have been faster. `keep` gets the answer at once: a key is shown only in it.
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
