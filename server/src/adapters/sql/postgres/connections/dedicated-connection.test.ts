import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPostgres } from '../../../../../test/support/services/test-postgres.ts'
import { openDedicatedConnection, type Session } from './dedicated-connection.ts'

const BACKEND_PID = { name: 'backend-pid', text: 'select pg_backend_pid()' }

/** The id of the server process behind a session. */
const processOf = async (session: Session): Promise<unknown> => (await session.send([[BACKEND_PID, []]]))[0]

test('dropping a session on a replaced connection leaves the new connection open', async () => {
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
