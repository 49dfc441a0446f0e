import { mkdtempSync } from 'node:fs'
import { openAdmissionStore, agentCalled } from './limits/admission-store.ts'
import { measure } from '/tmp/bench-body.ts'
await using s = await openAdmissionStore(mkdtempSync('/tmp/bn-'), { now: Date.now })
await measure(s.admission, s.agents, (id: string) => agentCalled(id, { customLimits: { rpm: 1e6, rpd: 1e6 } }))
