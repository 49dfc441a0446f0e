import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { startOn } from '../contenders/stakewright-contender.ts'
import { adminToken } from './agent-keys.ts'
import { fillHistory, fillStore } from './filled-store.ts'

test('the service accepts the keys of agents that a bench has inserted into its store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-filled-'))
  try {
    const keys = await fillStore(folder, 3, 2)
    await using service = await startOn('filled', folder)
    const baseUrl = `http://127.0.0.1:${service.port}`
    for (const apiKey of keys) {
      const { network } = await createClient({ baseUrl, apiKey }).metadata()
      assert.equal(network, 'sandbox')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the profile of an agent shows the history that a bench has inserted into its store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-filled-'))
  try {
    const id = await fillHistory(folder, 3_000)
    await using service = await startOn('filled', folder)
    const baseUrl = `http://127.0.0.1:${service.port}`
    const client = createClient({ baseUrl, token: await adminToken('admin@example.com') })
    const { data } = await client.agentProfile({ id })
    // The day may change during the test.
    assert(data.avgDailyQueries > 90 && data.avgDailyQueries < 110, `${data.avgDailyQueries} a day`)
    assert.deepEqual(Object.keys(data.toolBreakdown), ['metadata'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
