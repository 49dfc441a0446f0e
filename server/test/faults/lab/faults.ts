import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { verifyPostgresAudit } from '#adapters/sql/postgres/audit/verify.ts'
import { SECRETS } from '../../scale/support/admin-token.ts'
import type { DatabaseServer } from '../../support/services/database-server.ts'
import type { Stage } from './stage.ts'

const execute = promisify(execFile)
const MANY_BYTES = 1024 * 1024 * 1024

/** Seeded random source: the same seed gives the same faults in the same order. */
export type Chance = {
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

/** Breaks something and repairs it before it resolves. */
type Fault = (stage: Stage, chance: Chance) => Promise<unknown>

/** The clocks jump to this long before midnight, so that chain data, stale after the jump, are read again in time. */
const MIDNIGHT_SECONDS = 8

/** Does nothing without `pg_dump`, which a Postgres from npm does not have. */
const dump = ({ url }: DatabaseServer) =>
  execute('pg_dump', ['--format=plain', url], { maxBuffer: MANY_BYTES }).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })

const someTime = (chance: Chance) => 200 + chance.below(2_000)

export const FAULTS: Readonly<Record<string, Fault>> = {
  'an instance is killed': async ({ instances }, chance) => {
    await chance.pick(instances).restart()
  },
  'an instance stops for a while': async ({ instances }, chance) => {
    const instance = chance.pick(instances)
    instance.signal('SIGSTOP')
    await pause(someTime(chance))
    instance.signal('SIGCONT')
  },
  'a connection is cut': async ({ relays }, chance) => {
    const relay = chance.pick(relays)
    relay.cut()
    await pause(chance.below(500))
    relay.mend()
  },
  'a connection is slow': async ({ relays }, chance) => {
    const relay = chance.pick(relays)
    relay.delay(100 + chance.below(1_500))
    await pause(someTime(chance))
    relay.delay(0)
  },
  'Postgres restarts': async ({ primary }, chance) => {
    const server = primary()
    // Immediate, fast, and smart shutdown; the last waits for connections to end by themselves.
    const mode = chance.pick(['SIGQUIT', 'SIGINT', 'SIGTERM'] as const)
    server.signal(mode)
    if (mode === 'SIGTERM') await pause(someTime(chance))
    await server.stop()
    await pause(chance.below(300))
    await server.start()
  },
  'the standby stops for a while': async ({ standby }, chance) => {
    const server = standby()
    server.signal('SIGSTOP')
    await pause(someTime(chance))
    server.signal('SIGCONT')
  },
  'the standby takes over': ({ failOver }) => failOver(),
  'Redis crashes': async ({ redis }, chance) => {
    const server = redis()
    await server.kill()
    await pause(chance.below(500))
    await server.start()
  },
  'Redis fails over': ({ failOverRedis }) => failOverRedis(),
  'midnight comes while the database is dumped': async ({ clocks, primary }) => {
    await clocks.moveToMidnight(MIDNIGHT_SECONDS)
    await pause((MIDNIGHT_SECONDS - 1) * 1_000)
    await Promise.all([dump(primary()), pause(2_000)])
  },
  'the database is dumped': ({ primary }) => dump(primary()),
  'the log is verified': async ({ primary }) => {
    const verdict = await verifyPostgresAudit(primary().url, auditSeal(SECRETS.KEY_PEPPER))
    if (verdict.kind !== 'intact') throw new Error(`the log is ${JSON.stringify(verdict)}`)
  },
  'the clock of a machine is wrong': async ({ instances }, chance) => {
    const offset = chance.pick([-86_400, -600, -45, 45, 600, 86_400, 100 * 86_400])
    await chance.pick(instances).setClock(offset + chance.below(60))
  },
  'the clocks are put right': ({ instances }) => Promise.all(instances.map((each) => each.setClock(0))),
}
