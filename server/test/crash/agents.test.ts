import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openIdentity } from '../agents/identity.ts'
import { crashRounds } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type AgentStep, expectedKeys } from './agent-step.ts'
import { linesUntilDeath, startWriter } from './killed-writer.ts'

const ROUNDS = crashRounds(8)
/** The writer has four steps in flight: up to four may be done and not yet acknowledged when it dies. */
const IN_FLIGHT = 4
const clock = { now: () => Date.UTC(2026, 0, 31, 12) }

type Identity = Awaited<ReturnType<typeof openIdentity>>

/** Kills a writer after `count` acknowledged steps. Returns all steps acknowledged before it died. */
async function writeAndKill(folder: string, round: number, count: number): Promise<readonly AgentStep[]> {
  const lines = await linesUntilDeath(startWriter('agent-writer.ts', [folder, String(round)]), count)
  return lines.map((line) => JSON.parse(line))
}

/** Every registration is complete: agent, key, token, mail, and one hit in each limit. Returns the number of agents. */
async function checkWholeness({ db }: Identity): Promise<number> {
  const count = async (table: 'agents' | 'verifications' | 'outbox') =>
    (await db.selectFrom(table).selectAll().execute()).length
  const agents = await count('agents')
  assert.equal(await count('verifications'), agents)
  assert.equal(await count('outbox'), agents)
  const hits = await db.selectFrom('registration_hits').select(['name', 'hits']).orderBy('name').execute()
  assert.deepEqual(
    hits.map(({ name, hits }) => `${name} ${hits}`),
    [`global-day ${agents}`, `ip-day ${agents}`, `ip-hour ${agents}`],
  )
  const keys = await db.selectFrom('agent_keys').select('agent_no').where('valid_until', 'is', null).execute()
  assert.equal(keys.length, agents)
  assert.equal(new Set(keys.map((key) => key.agent_no)).size, agents)
  return agents
}

/** Dead keys stay dead. A live key may have been replaced or revoked by a step in flight. */
async function checkKeys(identity: Identity, steps: readonly AgentStep[]): Promise<void> {
  let deviations = 0
  for (const [apiKey, expected] of expectedKeys(steps)) {
    const works = await identity.works(apiKey)
    if (expected === 'works' && !works) deviations += 1
    if (expected === 'works' || !works) continue
    // The verification of a registered key may be done without having been acknowledged.
    const last = steps.findLast((step) => step.apiKey === apiKey)
    const isReplaced = steps.some((step) => step.kind === 'rotated' && step.previous === apiKey)
    assert(last?.kind === 'registered' && !isReplaced, 'a dead key works again')
    deviations += 1
  }
  assert(deviations <= IN_FLIGHT, `${deviations} keys are not as acknowledged`)
}

test(`${ROUNDS} × kill -9: no registration is incomplete, no acknowledged step is lost, no dead key works again`, async () => {
  await using folder = await tempFolder()
  let before = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    const steps = await writeAndKill(folder.path, round, 5 + round * 2)
    await using identity = await openIdentity(folder.path, { clock })
    const agents = await checkWholeness(identity)
    const acknowledged = steps.filter(({ kind }) => kind === 'registered').length
    assert(agents - before >= acknowledged && agents - before <= acknowledged + IN_FLIGHT)
    await checkKeys(identity, steps)
    before = agents
  }
})
