import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import { registerAgent } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'

const databases = () => Number(queryObjects(DatabaseSync, { format: 'count' }))

async function serveAndClose(): Promise<void> {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).validators()
}

test('a closed service is garbage-collected: no database object stays in memory', async () => {
  await serveAndClose()
  const before = databases()
  for (let each = 0; each < 3; each += 1) await serveAndClose()
  assert.equal(databases(), before)
})
