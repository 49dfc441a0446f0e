import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { TIERS } from '@stakewright/contract/limits'
import fc from 'fast-check'
import { sql } from 'kysely'
import { ALL_DAYS } from '#adapters/sql/admission/rows.ts'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import type { Clock } from '#ports/clock.ts'
import type { Admission, Decision } from '#ports/stores/admission.ts'
import { DAY_MS, MINUTE_MS } from '../../src/durations.ts'
import { agentCalled, requestOf } from '../limits/admission-store.ts'
import { ask, type ModelAgent, newModelAgent } from '../limits/limiter-model.ts'
import { rounds } from '../support/repetitions.ts'
import { migratedDatabase, openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { testClock } from '../support/test-clock.ts'

const AGENTS = ['a', 'b', 'c']
const EVERYBODY = { kind: 'everybody' } as const
const RUNS = rounds(8)
const COMMANDS = 200

type Command =
  | {
      readonly kind: 'ask'
      readonly agent: number
      readonly times: number
      readonly at: 'one' | 'other' | 'both'
    }
  | { readonly kind: 'ask with old key'; readonly agent: number }
  | { readonly kind: 'set limits'; readonly agent: number; readonly rpm: number; readonly rpd: number }
  | { readonly kind: 'rotate'; readonly agent: number; readonly graceMs: number }
  | { readonly kind: 'suspend' | 'resume' | 'forget old key'; readonly agent: number }
  | { readonly kind: 'move clock'; readonly by: number }

const agent = fc.nat(AGENTS.length - 1)
const times = fc.integer({ min: 1, max: 6 })
const at = fc.constantFrom('one' as const, 'other' as const, 'both' as const)
const graceMs = fc.constantFrom(0, 1_000, MINUTE_MS)
const by = fc.constantFrom(1_000, MINUTE_MS, DAY_MS, 3 * DAY_MS, -3 * DAY_MS)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('ask'), agent, times, at }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask with old key'), agent }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('set limits'), agent, rpm: fc.nat(9), rpd: fc.nat(50) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('rotate'), agent, graceMs }) },
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constantFrom('suspend', 'resume', 'forget old key'), agent }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('move clock'), by }) },
)

type Model = ModelAgent & {
  readonly id: string
  isSuspended: boolean
  admitted: number
  old: { readonly digest: string; readonly endsAt: number } | undefined
}

const seal = auditSeal('the secret of these tests')
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const rules = admissionRules({ tiers: TIERS })

/** Two instances on one database. */
async function openInstances(url: string, clock: Clock) {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openWithLongTimeouts(url))
  const openOne = async () =>
    opened.use(
      await openPostgresAdmission({
        store,
        rules,
        secrets,
        seal,
        clock,
        logger: silentLogger,
        instance: randomUUID(),
      }),
    )
  const instances = { one: await openOne(), other: await openOne() }
  const resources = opened.move()
  const agents = sqlAgents({ db: store.db, secrets })
  return { instances, agents, db: store.db, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

type Instances = Awaited<ReturnType<typeof openInstances>>

/** Sorted, because either of two instances may have been first. */
const described = (decisions: readonly Decision[]) =>
  decisions
    .map((decision) => {
      if (decision.kind === 'unusable') return decision.status
      return decision.kind === 'admitted' ? String(decision.quota?.usedDay).padStart(4, '0') : decision.kind
    })
    .sort()

function expectedOf(model: Model, now: number): string {
  if (model.isSuspended) return 'suspended'
  const answer = ask(model, now)
  if (!('used' in answer)) return answer.kind
  model.admitted += 1
  return String(model.day.used).padStart(4, '0')
}

const withKey = (admission: Admission, digest: string, now: number) =>
  admission.admit(requestOf('', now, { claim: { kind: 'agent-key', digest: () => digest } }))

type Step = {
  readonly on: Instances
  readonly model: Model
  readonly now: number
  readonly newDigest: string
}

const RUN: {
  readonly [Kind in Exclude<Command['kind'], 'move clock'>]: (
    command: Extract<Command, { kind: Kind }>,
    step: Step,
  ) => Promise<unknown>
} = {
  async ask({ times, at }, { on: { instances }, model, now }) {
    const asked = Array.from({ length: times }, (_, place) => {
      const admission = instances[at === 'both' ? (place % 2 === 0 ? 'one' : 'other') : at]
      return withKey(admission, model.digest, now)
    })
    const expected = asked.map(() => expectedOf(model, now)).sort()
    assert.deepEqual(described(await Promise.all(asked)), expected)
  },
  async 'ask with old key'(_, { on: { instances }, model, now }) {
    if (!model.old) return
    const isOver = now >= model.old.endsAt
    for (const admission of Object.values(instances)) {
      const [seen] = described([await withKey(admission, model.old.digest, now)])
      assert.equal(seen, isOver ? 'replaced' : expectedOf(model, now))
    }
  },
  'set limits'({ rpm, rpd }, { on, model }) {
    model.limits = { rpm, rpd }
    return on.agents.update(model.id, { step: undefined, limits: model.limits })
  },
  async rotate({ graceMs }, { on, model, now, newDigest }) {
    if (model.isSuspended) return
    const graceEndsAt = graceMs > 0 ? now + graceMs : undefined
    const key = { digest: newDigest, prefix: 'x' }
    await on.agents.replaceKey(EVERYBODY, model.id, { key, step: TRANSITIONS.rotate, now, graceEndsAt })
    model.old = { digest: model.digest, endsAt: graceEndsAt ?? 0 }
    model.digest = newDigest
  },
  suspend(_, { on, model }) {
    model.isSuspended = true
    return on.agents.update(model.id, { step: TRANSITIONS.suspend, limits: undefined })
  },
  resume(_, { on, model }) {
    model.isSuspended = false
    return on.agents.update(model.id, { step: TRANSITIONS.resume, limits: undefined })
  },
  async 'forget old key'(_, { on, model, now }) {
    if (!model.old) return
    await on.db.deleteFrom('agent_keys').where('digest', '=', model.old.digest).execute()
    for (const admission of Object.values(on.instances))
      assert.equal((await withKey(admission, model.old.digest, now)).kind, 'unknown')
    model.old = undefined
  },
}

/** The cast holds because each entry of the table takes the commands of its own kind. */
const runOne = (command: Exclude<Command, { kind: 'move clock' }>, step: Step): Promise<unknown> =>
  (RUN[command.kind] as (given: typeof command, step: Step) => Promise<unknown>)(command, step)

async function runAll(commands: readonly Command[]): Promise<void> {
  await using database = await migratedDatabase()
  const clock = testClock(Date.UTC(2026, 0, 31, 23, 58))
  await using on = await openInstances(database.url, clock)
  const models = AGENTS.map((id): Model => {
    const limits = { rpm: 5, rpd: 20 }
    return { ...newModelAgent(`key of ${id}`, limits), id, isSuspended: false, admitted: 0, old: undefined }
  })
  for (const { id, limits } of models)
    await on.agents.register(agentCalled(id, { customLimits: limits }), undefined)
  for (const [place, command] of commands.entries()) {
    const model = 'agent' in command ? models[command.agent] : undefined
    if (command.kind === 'move clock') clock.advance(command.by)
    else if (model) await runOne(command, { on, model, now: clock.now(), newDigest: `key ${place}` })
  }
  assert.deepEqual(
    await countedOf(on),
    models.map(({ admitted }) => admitted),
  )
}

/** Number of requests of each agent, summed over all days. */
async function countedOf({ db }: Instances): Promise<readonly number[]> {
  const { rows } = await sql<{ id: string; tools: string | null }>`
    select id, tools from agents left join (${sql.raw(ALL_DAYS)}) as counted on agent_no = no`.execute(db)
  const sumOf = (tools: string | null): number => (tools === null ? 0 : JSON.parse(tools).metadata)
  return AGENTS.map((id) =>
    rows.filter((row) => row.id === id).reduce((sum, { tools }) => sum + sumOf(tools), 0),
  )
}

test(`${RUNS} × ${COMMANDS} steps: two instances admit exactly the requests that the model admits, while keys, limits and the clock change`, async () => {
  const commands = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' })
  await fc.assert(fc.asyncProperty(commands, runAll), { numRuns: RUNS, endOnFailure: true })
})
