import { suite } from 'node:test'
import type { KeptLogs } from './kept-log.ts'
import { mandateTests } from './mandate-retention.ts'
import { droppingTests } from './retention.ts'
import { busyLogTest, signingTests } from './signing.ts'
import { wrongClockTests } from './wrong-clocks.ts'

/** The guarantees of the upkeep of an audit log, on every store. */
export function auditUpkeepSuite(name: string, store: KeptLogs): void {
  suite(`audit upkeep: ${name}`, () => {
    signingTests(store)
    busyLogTest(store)
    droppingTests(store)
    wrongClockTests(store)
    mandateTests(store)
  })
}
