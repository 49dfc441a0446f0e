import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { ledgerSeal } from '#adapters/sql/stores/policy/ledger/ledger-seal.ts'
import { isWholeLedger } from '#adapters/sql/stores/policy/ledger/whole-ledger.ts'
import { sqlPolicies } from '#adapters/sql/stores/policy/policies.ts'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { agentWithPolicy } from '../policy/agent-with-policy.ts'
import { equalStakeSteps, equalStakesDocument, runEqualStakes } from '../policy/equal-stakes.ts'
import { commands } from '../policy/reservation-commands.ts'
import { runCommands } from '../policy/reservation-model.ts'
import { documentFor, type World } from '../policy/reservation-world.ts'
import { runs } from '../support/repetitions.ts'
import { migratedDatabase, openWithLongTimeouts } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const seal = ledgerSeal(secrets)

type Db = Parameters<typeof sqlReservations>[0]['db']

const instanceOn = (db: Db) => ({
  policies: sqlPolicies({ db, secrets, logger: silentLogger }),
  reservations: sqlReservations({ db, queueByAgent: agentQueues(), secrets, logger: silentLogger }),
})

const senderOf = (id: string) => `wallet of ${id}`

/** Adds an agent with a wallet of its own and the given policy. */
async function addAgent(
  db: Db,
  id: string,
  policyFor = documentFor,
): Promise<Pick<World, 'agentNo' | 'sender'>> {
  const sender = senderOf(id)
  return { agentNo: await agentWithPolicy(db, secrets, { id, document: policyFor(sender) }), sender }
}

test('SQLite: after any commands, no window is exceeded, refuses a build that fits, or stays full for ever', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path, { synchronous: 'normal' })
  let count = 0
  const run = async (steps: Parameters<typeof runCommands>[1]) => {
    const agent = await addAgent(store.db, `agent ${++count}`)
    const both: World['instances'] = [instanceOn(store.db), instanceOn(store.db)]
    await runCommands({ ...agent, instances: both, restart: async () => both }, steps)
    assert(
      await isWholeLedger({ db: store.db, seal, agentNo: agent.agentNo }),
      'stored sums equal the sums of the rows',
    )
  }
  await fc.assert(fc.asyncProperty(commands, run), runs(40))
})

test('Postgres: the same with two instances, one of which restarts now and then', async () => {
  await using database = await migratedDatabase()
  await using first = await openWithLongTimeouts(database.url)
  await using opened = new AsyncDisposableStack()
  let second = opened.use(await openWithLongTimeouts(database.url))
  let count = 0
  const run = async (steps: Parameters<typeof runCommands>[1]) => {
    const agent = await addAgent(first.db, `agent ${++count}`)
    const both = (): World['instances'] => [instanceOn(first.db), instanceOn(second.db)]
    const restart = async () => {
      await second[Symbol.asyncDispose]()
      second = opened.use(await openWithLongTimeouts(database.url))
      return both()
    }
    await runCommands({ ...agent, instances: both(), restart }, steps)
    assert(
      await isWholeLedger({ db: first.db, seal, agentNo: agent.agentNo }),
      'stored sums equal the sums of the rows',
    )
  }
  await fc.assert(fc.asyncProperty(commands, run), runs(12))
})

test('SQLite and Postgres: each of several identical stakes on the chain settles exactly one reservation', async () => {
  await using folder = await tempFolder()
  await using sqlite = await openSqlite(folder.path, { synchronous: 'normal' })
  await using database = await migratedDatabase()
  await using first = await openWithLongTimeouts(database.url)
  await using second = await openWithLongTimeouts(database.url)
  let count = 0
  const settle =
    (dbs: readonly [Db, Db]) =>
    async (steps: Parameters<typeof runEqualStakes>[1], remembersTokens: boolean) => {
      const more = remembersTokens ? [{ rule: 'maxShare' as const, share: 1 }] : []
      const policyFor = (sender: string) => equalStakesDocument(sender, more)
      const agent = await addAgent(dbs[0], `agent ${++count}`, policyFor)
      const both: World['instances'] = [instanceOn(dbs[0]), instanceOn(dbs[1])]
      await runEqualStakes({ ...agent, instances: both, restart: async () => both }, steps)
    }
  for (const [dbs, numRuns] of [
    [[sqlite.db, sqlite.db], runs(60).numRuns],
    [[first.db, second.db], runs(12).numRuns],
  ] as const)
    await fc.assert(fc.asyncProperty(equalStakeSteps, fc.boolean(), settle(dbs)), { numRuns })
})
