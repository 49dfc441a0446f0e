import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

test('200: use, remainder and end of both windows, and the features of the tier', async () => {
  await using app = await openTestApp()
  const { apiKey } = await registerAgent(app)
  const client = app.client({ apiKey })
  await client.metadata()
  assert.deepEqual(await client.usage(), {
    tier: 'free',
    limits: { rpm: 10, rpd: 100 },
    used: { rpm: 2, rpd: 2 },
    remaining: { rpm: 8, rpd: 98 },
    addressRpm: 100,
    resetAt: { minute: '2026-06-15T12:01:00.000Z', day: '2026-06-16T00:00:00.000Z' },
    features: { visibleValidators: 10, rebalancing: false },
  })
})
