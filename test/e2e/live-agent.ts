import { createClient } from '@stakewright/client'
import { type AdmittedAgent, admitAgent } from '../../server/test/support/admitted-agent.ts'

/** Admits an agent to a service in another process, with limits that tests do not reach. */
export function admitLiveAgent(url: string, folder: string): Promise<AdmittedAgent> {
  const served = {
    folder,
    clock: { now: Date.now },
    client: (options = {}) => createClient({ baseUrl: url, retries: 0, ...options }),
  }
  return admitAgent(served, { rateLimits: { rpm: 1_000_000, rpd: 1_000_000 } })
}
