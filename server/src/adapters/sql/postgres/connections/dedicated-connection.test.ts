import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPostgres } from '../../../../../test/support/services/test-postgres.ts'
import { openDedicatedConnection, type Session } from './dedicated-connection.ts'

const WHICH = { name: 'which', text: 'select pg_backend_pid()' }

/** The number of the server process that answers a session. */
const processOf = async (session: Session): Promise<unknown> => (await session.send([[WHICH, []]]))[0]

test('who drops a connection that others have replaced leaves the new one to them', async () => {
  await using store = await openTestPostgres()
  await using dedicated = openDedicatedConnection(store)
  const [early, late] = [await dedicated.session(), await dedicated.session()]
  const first = await processOf(early)
  assert.equal(await processOf(late), first)
  early.drop()
  const second = await processOf(await dedicated.session())
  assert.notEqual(second, first)
  late.drop()
  assert.equal(await processOf(await dedicated.session()), second)
})
