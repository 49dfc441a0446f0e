import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { Decision } from '#ports/stores/admission.ts'
import { DAY_MS, MINUTE_MS } from '../../src/durations.ts'
import { type AdmissionStore, agentCalled, openAdmissionStore, requestOf } from '../limits/admission-store.ts'
import { ask, type ModelAgent, newModelAgent } from '../limits/limiter-model.ts'
import { rounds } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'

const AGENTS = ['a', 'b', 'c']
const EVERYBODY = { kind: 'everybody' } as const
const RUNS = rounds(20)
const COMMANDS = 500

type Command =
  | { readonly kind: 'ask'; readonly agent: number; readonly times: number }
  | { readonly kind: 'move clock'; readonly by: number }
  | { readonly kind: 'set limits'; readonly agent: number; readonly rpm: number; readonly rpd: number }
  | { readonly kind: 'rotate'; readonly agent: number }
  | { readonly kind: 'restart' }

const agent = fc.nat(AGENTS.length - 1)
const steps = [
  -26 * 3_600_000,
  -3 * 3_600_000,
  -2 * MINUTE_MS,
  -1_000,
  1,
  1_000,
  20_000,
  MINUTE_MS,
  3_600_000,
  DAY_MS,
]
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 180,
    arbitrary: fc.record({ kind: fc.constant('ask'), agent, times: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 84, arbitrary: fc.record({ kind: fc.constant('move clock'), by: fc.constantFrom(...steps) }) },
  {
    weight: 18,
    arbitrary: fc.record({ kind: fc.constant('set limits'), agent, rpm: fc.nat(8), rpd: fc.nat(40) }),
  },
  { weight: 15, arbitrary: fc.record({ kind: fc.constant('rotate'), agent }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
)

/** A decision in the form of the model's answers. */
function described(decision: Decision) {
  if (decision.kind === 'limited') return { kind: decision.kind, retryAt: decision.retryAt }
  if (decision.kind !== 'admitted' || !decision.quota) return decision
  const { usedMinute, usedDay, minuteEndsAt } = decision.quota
  return { kind: decision.kind, used: [usedMinute, usedDay], resetAt: minuteEndsAt }
}

async function runAll(commands: readonly Command[]): Promise<void> {
  await using folder = await tempFolder()
  const clock = testClock(Date.UTC(2026, 0, 31, 23, 58))
  const open = () => openAdmissionStore(folder.path, clock)
  let store = await open()
  const models = AGENTS.map((id) => newModelAgent(`key of ${id}`, { rpm: 5, rpd: 20 }))
  try {
    for (const [at, id] of AGENTS.entries())
      await store.agents.register(agentCalled(id, { customLimits: models[at]?.limits }), undefined)
    let keys = 0
    for (const command of commands) {
      if (command.kind === 'move clock') clock.advance(command.by)
      else if (command.kind === 'restart') {
        await store[Symbol.asyncDispose]()
        store = await open()
      } else {
        const model = models[command.agent]
        assert(model)
        await runOne(store, model, AGENTS[command.agent] ?? '', command, `key ${keys++}`, clock.now())
      }
    }
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

async function runOne(
  { admission, agents }: AdmissionStore,
  model: ModelAgent,
  id: string,
  command: Exclude<Command, { kind: 'move clock' | 'restart' }>,
  newDigest: string,
  now: number,
): Promise<void> {
  if (command.kind === 'set limits') {
    model.limits = { rpm: command.rpm, rpd: command.rpd }
    await agents.update(id, { step: undefined, limits: model.limits })
  } else if (command.kind === 'rotate') {
    const key = { digest: newDigest, prefix: 'x' }
    await agents.replaceKey(EVERYBODY, id, { key, step: TRANSITIONS.rotate, now, graceEndsAt: undefined })
    const old = requestOf('', now, { claim: { kind: 'agent-key', digest: () => model.digest } })
    assert.equal((await admission.admit(old)).kind, 'unusable')
    model.digest = newDigest
  } else {
    const request = requestOf('', now, { claim: { kind: 'agent-key', digest: () => model.digest } })
    const asked = Array.from({ length: command.times }, () => admission.admit(request))
    const expected = asked.map(() => ask(model, now))
    assert.deepEqual((await Promise.all(asked)).map(described), expected)
  }
}

test(`${RUNS} × ${COMMANDS} steps: the store admits exactly the requests that the model admits, over clock jumps, restarts, rotations and new limits`, async () => {
  const commands = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' })
  await fc.assert(fc.asyncProperty(commands, runAll), { numRuns: RUNS, endOnFailure: true })
})
