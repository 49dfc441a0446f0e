import { createClient } from '@stakewright/client'
import { type AdmittedAgent, admitAgent } from '../../server/test/support/admitted-agent.ts'

/** An agent of a service that runs as a process of its own, with limits that a test does not reach. */
export function admitLiveAgent(url: string, folder: string): Promise<AdmittedAgent> {
  const served = {
    folder,
    clock: { now: Date.now },
    client: (options = {}) => createClient({ baseUrl: url, retries: 0, ...options }),
  }
  return admitAgent(served, { rateLimits: { rpm: 1_000_000, rpd: 1_000_000 } })
}
