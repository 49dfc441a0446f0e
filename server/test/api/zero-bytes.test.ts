import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@stakewright/contract/routes'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'

test('400: a zero byte in a path or query is refused on every route, before it reaches a store', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 10_000, rpd: 10_000 } })
  const token = await userToken(app, 'ann@example.com')
  for (const { method, path, auth } of Object.values(ROUTES)) {
    const bearer = auth === 'user-token' ? token : apiKey
    const headers = auth === 'none' ? {} : { authorization: `Bearer ${bearer}` }
    for (const asked of [
      path.replaceAll(/\{\w+\}/g, 'x%00y'),
      `${path.replaceAll(/\{\w+\}/g, 'x')}?cursor=%00`,
    ]) {
      if (!asked.includes('%00')) continue
      const answer = await fetch(app.url + asked, { method, headers })
      const text = await answer.text()
      assert.equal(answer.status, 400, `${method} ${asked}: ${text}`)
    }
  }
})
