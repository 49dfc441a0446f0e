import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#adapters/sql/schema.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { MAX_SETTLING_MS } from '../policy/accepted-until.ts'
import { ME } from '../support/holdings.ts'
import { crashRounds } from '../support/repetitions.ts'
import { migratedDatabase, openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { openTestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { SECRETS } from './support/admin-token.ts'
import {
  type Builder,
  buildAt,
  builderAt,
  buildOn,
  checkStore,
  openLedger,
  repeatNamed,
  repeatUnsure,
  WINDOW,
} from './support/killed-builders.ts'
import { openServices, registerAgent, writePolicy } from './support/services.ts'

const ROUNDS = crashRounds(3)
/** Each round starts a process, which takes long on a busy machine. */
const PATIENCE = { timeout: (ROUNDS + 1) * 60_000 }
/** Builds in flight to each instance. */
const LANES = 3

type Setting = {
  readonly instances: number
  readonly env: Readonly<Record<string, string>>
  /** Reads the store while the killed instance is still down. */
  readonly look: <T>(folder: string, read: (db: Kysely<Schema>) => Promise<T>) => Promise<T>
}

async function buildAndKill(t: TestContext, { instances, env, look }: Setting): Promise<void> {
  await using group = await openServices(instances, env)
  const running = [...group.services]
  const agent = await registerAgent(group.urls[0])
  const rules = [
    { rule: 'actions', allow: ['stake'] },
    { rule: 'maxPerWindow', amount: String(WINDOW), window: 'hour' },
    // Without a known sender, expired builds would count to the end of the window.
    { rule: 'senders', allow: [ME] },
  ]
  await writePolicy(group.urls[0], agent.id, rules)
  const list = await builderAt(group.urls[0], agent.apiKey, '').key.validators()
  const validatorId = list.data.find(({ status }) => status === 'active')?.id ?? ''
  const builders = () => running.map(({ url }) => builderAt(url, agent.apiKey, validatorId))

  const ledger = openLedger()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const last = running.at(-1)
    assert(last)
    const killAt = ledger.acknowledged.length + 12 + round
    let killed: Promise<unknown> | undefined
    const isOver = () => {
      if (ledger.acknowledged.length >= killAt) killed ??= last.end('SIGKILL')
      return killed !== undefined
    }
    const lanes = builders().flatMap((builder) => Array.from({ length: LANES }, () => builder))
    await Promise.all(lanes.map((builder) => buildOn(ledger, builder, isOver)))
    await killed
    running.pop()
    await look(group.folder, (db) => checkStore(db, ledger))
    running.push(await group.add())
    await repeatUnsure(ledger, builders())
  }
  const [first] = builders()
  const [newest] = builders().toReversed()
  assert(first && newest)
  const named = await repeatNamed(ledger, newest)
  t.diagnostic(`${ledger.acknowledged.length} builds acknowledged, ${named} of them with a name`)
  const counted = await countedOf(first)
  const { commands } = await buildAt(first, { amount: WINDOW - counted, name: undefined })
  await assert.rejects(buildAt(first, { amount: 1_000_000_000n, name: undefined }), { code: 'forbidden' })
  assert.equal((await first.key.sandboxExecute({ sender: ME, commands })).status, 'done')
  for (const service of running) await service.end('SIGTERM')
  await freeAfterExpiry({ folder: group.folder, env, agent, validatorId, executed: WINDOW - counted })
}

/** The amount that counts in the window, from the refusal of a build that would need all of it. */
async function countedOf(builder: Builder): Promise<bigint> {
  const error = await buildAt(builder, { amount: WINDOW, name: undefined }).then(
    () => assert.fail('the window is not empty'),
    (reason) => reason,
  )
  const [, used] = /of which (\d+) is already reserved/.exec(error.details[0]?.actual) ?? []
  return BigInt(used ?? 0)
}

type After = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly agent: { readonly apiKey: string }
  readonly validatorId: string
  readonly executed: bigint
}

/** After all transactions have expired, the whole window is free except for the executed amount. */
async function freeAfterExpiry({ folder, env, agent, validatorId, executed }: After): Promise<void> {
  const clock = testClock(Date.now() + MAX_SETTLING_MS + 1_000)
  await using app = await openTestApp({ folder, env: { ...SECRETS, ...env }, clock })
  const builder = builderAt(app.url, agent.apiKey, validatorId)
  const build = (amount: bigint) => buildAt(builder, { amount, name: undefined })
  await assert.rejects(build(WINDOW - executed + 1n), { code: 'forbidden' })
  await build(WINDOW - executed)
}

test(
  `Postgres, ${ROUNDS} × kill -9 of one of two instances during builds: no acknowledged build is lost, no limit exceeded`,
  PATIENCE,
  async (t) => {
    await using database = await migratedDatabase()
    await using store = await openWithLongTimeouts(database.url)
    await buildAndKill(t, {
      instances: 2,
      env: { DATABASE_URL: database.url },
      look: (_, read) => read(store.db),
    })
  },
)

test(
  `SQLite, ${ROUNDS} × kill -9 during builds: no acknowledged build is lost, no limit exceeded`,
  PATIENCE,
  async (t) => {
    await buildAndKill(t, {
      instances: 1,
      env: {},
      async look(folder, read) {
        await using store = await openSqlite(folder)
        return await read(store.db)
      },
    })
  },
)
