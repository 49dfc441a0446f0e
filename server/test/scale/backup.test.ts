import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf, openReadersShell } from '../../../test/e2e/documented-section.ts'
import { startService } from '../../../test/e2e/service-process.ts'
import { canDump } from '../support/services/pg-dump.ts'
import { testDatabase } from '../support/services/postgres-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { SECRETS } from './support/admin-token.ts'
import { countRequests } from './support/counted-on-postgres.ts'
import { METADATA, registerAgent, untilServed } from './support/services.ts'

const SETTINGS = { ...SECRETS, LIMIT_IP_RPM: '1000000', LIMIT_GLOBAL_RPM: '1000000', LOG_LEVEL: 'warn' }

/**
 * Sends a request until it is served. Returns the agent's count afterwards, and the number of tries that were answered
 * with 503 and may have been counted or not.
 */
async function ask(
  url: string,
  apiKey: string,
): Promise<{ readonly counted: number; readonly unsure: number }> {
  let unsure = -1
  const response = await untilServed(async () => {
    unsure += 1
    const answer = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } })
    await answer.arrayBuffer()
    return answer
  })
  assert.equal(response.status, 200)
  const of = (name: string) => Number(response.headers.get(`x-ratelimit-${name}-rpd`))
  return { counted: of('limit') - of('remaining'), unsure }
}

test('a dump taken under load restores agents, keys, counters and audit log of one moment', async (t) => {
  await using database = await testDatabase()
  if (!(await canDump(database.url)))
    return t.skip('there is no pg_dump for this server: apt-get install postgresql-client')
  await using restored = await testDatabase()
  await using folder = await tempFolder()
  const [dump = '', restore = '', ...others] = await commandsOf('docs/operations.md', 'Backing up Postgres')
  assert.deepEqual(others, [])
  await using shell = openReadersShell({
    ...SECRETS,
    DATABASE_URL: database.url,
    RESTORED_URL: restored.url,
    BACKUP: join(folder.path, 'stakewright.dump'),
  })
  const env = { ...SETTINGS, DATA_DIR: folder.path }
  let apiKey = ''
  {
    await using service = await startService({ ...env, DATABASE_URL: database.url })
    apiKey = (await registerAgent(service.url)).apiKey
    const { counted: before } = await ask(service.url, apiKey)
    const dumping = shell.run(dump)
    let isOver = false
    void dumping.finally(() => {
      isOver = true
    })
    while (!isOver) await ask(service.url, apiKey)
    const { code, output } = await dumping
    assert.equal(code, 0, output)
    const { code: restoredCode, output: said } = await shell.run(restore)
    assert.equal(restoredCode, 0, said)
    assert.match(said, /The audit log is intact/)
    assert((await countRequests(restored.url)).charged >= before)
  }
  const { logged, charged } = await countRequests(restored.url)
  assert.equal(logged, charged)
  await using service = await startService({ ...env, DATABASE_URL: restored.url })
  const { counted, unsure } = await ask(service.url, apiKey)
  assert(
    counted > charged && counted <= charged + 1 + unsure,
    `${counted} after ${charged} and ${unsure} tries`,
  )
})
