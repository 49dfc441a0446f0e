import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../../server/test/support/registered-agent.ts'
import { testDatabase } from '../../../server/test/support/services/postgres-server.ts'
import { tempFolder } from '../../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../../server/test/support/test-app.ts'
import { runHere } from '../typed-line.ts'

test('0: the target is DATABASE_URL, which may have a password; no other variable is needed', async () => {
  await using app = await openTestApp()
  await registerAgent(app)
  await app.stop()
  await using database = await testDatabase()
  const line = ['migrate-store', '--from', app.folder, '--json']
  const { code, stdout, stderr } = await runHere({ DATABASE_URL: database.url }, ...line)
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).data.agents, 1)
})

test('2: a password in an argument is refused, and not repeated', async () => {
  await using folder = await tempFolder()
  for (const to of [
    'postgres://user:hunter2@127.0.0.1/x',
    'postgres://:hunter2@127.0.0.1/x',
    'postgres://127.0.0.1/x?sslmode=disable&password=hunter2',
    'mysql://user:hunter2@127.0.0.1/x',
  ]) {
    for (const option of [['--to', to], [`--to=${to}`]]) {
      const { code, stdout, stderr } = await runHere({}, 'migrate-store', '--from', folder.path, ...option)
      assert.equal(code, 2, to)
      assert.match(stderr, /Passwords are never arguments.*: set DATABASE_URL, and leave out --to/)
      assert.doesNotMatch(stdout + stderr, /hunter2/)
    }
  }
})

test('2: without a database, or with one that is not Postgres, the error says what to set', async () => {
  await using folder = await tempFolder()
  const line = ['migrate-store', '--from', folder.path]
  assert.match((await runHere({}, ...line)).stderr, /DATABASE_URL/)
  const wrong = await runHere({ DATABASE_URL: 'mysql://user:hunter2@127.0.0.1/x' }, ...line)
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /DATABASE_URL must be a URL that starts with postgres:\/\//)
  assert.doesNotMatch(wrong.stderr, /hunter2/)
})
