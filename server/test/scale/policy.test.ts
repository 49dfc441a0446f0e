import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../support/builder-agent.ts'
import { ME, TEN } from '../support/holdings.ts'
import { signIn } from '../support/registered-agent.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { openTestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'

const ALL = { rule: 'actions', allow: ['stake'] } as const

test('a policy that one instance has committed holds on the other at once, and its windows hold over both', async () => {
  await using database = await migratedDatabase()
  const env = {
    ...ADMIN,
    DATABASE_URL: database.url,
    KEY_PEPPER: 'the pepper of these tests, which is long',
    JWT_SECRET: 'the token secret of these tests, which is long',
  }
  const clock = testClock()
  await using one = await openTestApp({ env, clock })
  await using other = await openTestApp({ env, clock })
  const admin = one.client({ token: await signIn(one, 'root@example.com') })
  const { data } = await admin.registerAgent({ agentName: 'held', tier: 'builder' })
  const keys = [one, other].map((app) => app.client({ apiKey: data.apiKey }))
  const validatorId =
    (await one.client().validators()).data.find(({ status }) => status === 'active')?.id ?? ''
  const stake = { validatorId, amount: TEN, sender: ME }
  const isBuilt = (key: (typeof keys)[number]) =>
    key.buildStake(stake).then(
      () => true,
      ({ code }) => {
        assert.equal(code, 'forbidden')
        return false
      },
    )
  for (let revision = 0; revision < 6; revision += 1) {
    const isPaused = revision % 2 === 0
    const rules = isPaused ? [ALL, { rule: 'paused' } as const] : [ALL]
    await admin.writePolicy({ id: data.id, rules, revision })
    for (const key of keys) assert.equal(await isBuilt(key), !isPaused, `revision ${revision + 1}`)
  }
  const window = { rule: 'maxPerWindow', amount: '30000000000', window: 'day' } as const
  await admin.writePolicy({ id: data.id, rules: [ALL, window], revision: 6 })
  const built = await Promise.all([...keys, ...keys, ...keys, ...keys].map(isBuilt))
  assert.equal(built.filter(Boolean).length, 3)
})
