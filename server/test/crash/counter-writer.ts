/**
 * Admits requests of its own agents for ever, up to seven at a time; prints how many of each agent are acknowledged.
 * The journal of counters is so small that it is folded all the time.
 */

import { agentCalled, openAdmissionStore, requestOf } from '../limits/admission-store.ts'

const [folder = ''] = process.argv.slice(2)
const AGENTS = 40
const LIMITS = { rpm: 1_000_000, rpd: 1_000_000 }
/** Stands still, so that all counts fall into one window. */
const now = Date.UTC(2026, 0, 31, 12)
const clock = { now: () => now }

const store = await openAdmissionStore(folder, clock, {
  journal: { pages: 2, rowsPerPage: 1, agents: 12, commits: 4, folded: 1 },
  indexed: { batches: 8, agents: 20 },
  cached: 30,
})
const ids = Array.from({ length: AGENTS }, (_, at) => `agent ${at}`)
for (const id of ids) {
  if (await store.agents.find({ kind: 'everybody' }, id)) continue
  await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
}
const used: Record<string, number> = {}
for (let at = 0, size = 1; ; at += size, size = (size % 7) + 1) {
  const asking = Array.from({ length: size }, (_, place) => ids[(at + place) % AGENTS] ?? '')
  const decisions = await Promise.all(asking.map((id) => store.admission.admit(requestOf(id, now))))
  decisions.forEach((decided, place) => {
    if (decided.kind === 'admitted') used[asking[place] ?? ''] = decided.quota?.usedDay ?? 0
  })
  console.log(JSON.stringify(used))
}
