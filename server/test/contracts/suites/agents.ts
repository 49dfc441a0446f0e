import { suite } from 'node:test'
import { keyTests, lookupTests, stateTests } from './agent-management.ts'
import { registrationTests, renewalTests, verificationTests } from './agent-registration.ts'
import { limitTests } from './registration-limits.ts'
import type { Opened } from './sample-agents.ts'

/** The guarantees of every store of agents. `open` opens an empty one. */
export function agentsSuite(name: string, open: () => Promise<Opened>): void {
  suite(`agents: ${name}`, () => {
    registrationTests(open)
    limitTests(open)
    verificationTests(open)
    renewalTests(open)
    lookupTests(open)
    keyTests(open)
    stateTests(open)
  })
}
