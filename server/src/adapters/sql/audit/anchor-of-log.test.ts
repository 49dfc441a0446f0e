import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tempFolder } from '../../../../test/support/temp-folder.ts'
import { openSqlite } from '../sqlite/open.ts'
import { holdsAnchor } from './anchor-of-log.ts'
import { EMPTY_MARK } from './marks.ts'

test('checking an empty anchor starts no query of the log, so that none can reject unhandled', async (t) => {
  const unhandled = t.mock.fn()
  process.on('unhandledRejection', unhandled)
  t.after(() => process.off('unhandledRejection', unhandled))
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  for (const table of ['agent_actions', 'audit_checkpoints', 'audit_batches'] as const)
    await store.db.schema.alterTable(table).renameTo(`${table}_gone`).execute()
  const anchor = { at: 0, action: EMPTY_MARK, checkpoint: EMPTY_MARK, ends: { end: EMPTY_MARK } }
  assert.equal(await holdsAnchor(store.db, anchor), true)
  await new Promise(setImmediate)
  assert.equal(unhandled.mock.callCount(), 0)
})
