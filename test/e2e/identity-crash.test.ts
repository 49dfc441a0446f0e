import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { openSqlite } from '../../server/src/adapters/sql/sqlite/open.ts'
import { readConfig } from '../../server/src/config.ts'
import { issueAdminToken } from '../../server/src/operator/issue-token.ts'
import { crashRounds } from '../../server/test/support/repetitions.ts'
import { readMails } from '../../server/test/support/services/mail-files.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { testClock } from '../../server/test/support/test-clock.ts'
import { type History, type KeyState, manageOn, newHistory, registerOn } from './identity-load.ts'
import { type ServiceProcess, startService } from './service-process.ts'

const KILLS = crashRounds(6)
const LANES = 3
const LIMITS = ['IP_RPM', 'GLOBAL_RPM', 'REGISTER_IP_HOUR', 'REGISTER_IP_DAY', 'REGISTER_DAY']
const addressOf = (round: number, lane: number) => `r${round}-${lane}@example.com`
const range = (length: number) => Array.from({ length }, (_, at) => at)
const env = {
  ADMIN_EMAILS: range(KILLS)
    .flatMap((round) => range(LANES).map((lane) => addressOf(round, lane)))
    .join(','),
  LOG_LEVEL: 'warn',
  JWT_SECRET: 'the secret of the crash tests, long enough',
  ...Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, '1000000'])),
}
/** Longer than the lease that the dead process held on the mail it was delivering. */
const LEASE_OVER_MS = 120_000

async function adminToken(email: string, folder: string): Promise<string> {
  const read = readConfig({ ...env, DATA_DIR: folder })
  assert(read.kind === 'ok')
  return (await issueAdminToken(read.config, email)).token
}

/** Loads the service from all lanes at once and kills it after `answers` answers, with other requests in flight. */
async function loadAndKill(
  service: ServiceProcess,
  folder: string,
  round: number,
  answers: number,
): Promise<History> {
  const history = newHistory()
  const onAnswer = () => {
    if (history.answers === answers) service.child.kill('SIGKILL')
  }
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const name = `r${round}-${lane}`
    const client = createClient({
      baseUrl: service.url,
      token: await adminToken(addressOf(round, lane), folder),
      retries: 0,
    })
    await Promise.all([
      registerOn({ client, name, history, onAnswer }),
      manageOn({ client, name, history, onAnswer }),
    ])
  })
  await Promise.all(lanes)
  return history
}

/**
 * Asserts that every registration is complete: one agent, one count per limit, one link, one mail; and that the owner is
 * told of every rotation and revocation by one mail. Returns the number of registrations.
 */
async function countCompleteRegistrations(folder: string): Promise<number> {
  await using store = await openSqlite(folder, { synchronous: 'normal' })
  const { db } = store
  const rows = async (table: 'verifications' | 'outbox') =>
    (await db.selectFrom(table).selectAll().execute()).length
  const agents = await db
    .selectFrom('agents')
    .select('created_at')
    .where('identity_tier', '=', 'unverified')
    .execute()
  assert.equal(await rows('verifications'), agents.length)
  const told = await db
    .selectFrom('agent_actions')
    .select('no')
    .where('action', 'in', ['rotate', 'revoke'])
    .execute()
  assert.equal(await rows('outbox'), agents.length + told.length)
  for (const { name, window_start, hits } of await db.selectFrom('registration_hits').selectAll().execute()) {
    const within = agents.filter(({ created_at }) => created_at >= window_start)
    assert.equal(hits, within.length, name)
  }
  return agents.length
}

async function checkKeys(baseUrl: string, keys: Iterable<readonly [string, KeyState]>): Promise<void> {
  for (const [apiKey, state] of keys) {
    if (state === 'open') continue
    const use = createClient({ baseUrl, apiKey, retries: 0 }).usage()
    if (state === 'works') await use
    else await assert.rejects(use, { code: 'unauthorized' }, 'a key that was dead works again')
  }
}

test(`${KILLS} × kill -9 under load: agents, counts and mails agree, and every answered rotation and revocation persists`, async (t) => {
  await using folder = await tempFolder()
  const settings = { ...env, DATA_DIR: folder.path }
  const all = new Map<string, KeyState>()
  let before = 0
  let last = newHistory()
  for (let round = 0; round < KILLS; round += 1) {
    await using service = await startService(settings)
    await checkKeys(service.url, last.keys)
    last = await loadAndKill(service, folder.path, round, 3 + ((round * 11) % 40))
    assert.equal(await service.end('SIGKILL'), 'SIGKILL')
    const agents = await countCompleteRegistrations(folder.path)
    assert(agents - before >= last.registered, 'an answered registration is lost')
    assert(agents - before <= last.registered + LANES, 'an agent is there that nobody registered')
    before = agents
    for (const [apiKey, state] of last.keys) all.set(apiKey, state)
  }

  const clock = testClock(Date.now() + LEASE_OVER_MS)
  await using app = await openTestApp({ folder: folder.path, clock, env })
  await app.runJob('deliver-mail')
  const links = (await readMails(folder.path)).filter(({ raw }) => raw.includes('verify?token='))
  assert.equal(links.length, before)
  assert.equal(new Set(links.map(({ to }) => to)).size, before)
  await checkKeys(app.url, all)
  t.diagnostic(`${before} agents registered, as many mails; ${all.size} keys as they were answered`)
})
