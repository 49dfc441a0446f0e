import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresAuditUpkeep } from '#adapters/sql/postgres/audit/upkeep.ts'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { ask } from '../support/services/postgres-server.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { openPostgresSampleLog } from './postgres-sample-log.ts'

test('signing after 400,000 checkpoints keeps the time limits of the service', async () => {
  await using log = await openPostgresSampleLog()
  await log.addBatch()
  await ask(
    log.store.url,
    `insert into audit_checkpoints
      (no, first_seq, last_seq, day, at, root, previous, hash, signature, instance)
    select -no, no, no, no / 5000, 0, repeat('0', 64), repeat('0', 64), repeat('0', 64), '', md5((no % 50)::text)
    from generate_series(1, 400000) no`,
  )
  // Opened with the time limits of the service, not with the longer ones of tests.
  await using store = await openPostgres(log.store.url, { logger: silentLogger })
  const upkeep = postgresAuditUpkeep({ store, seal: log.seal, secrets: { digest: () => '' } })
  const checkpoint = await upkeep.signNext(log.clock.now(), await upkeep.newestBatch())
  assert.equal(checkpoint?.no, 1)
})
