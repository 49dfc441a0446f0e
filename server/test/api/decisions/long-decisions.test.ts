import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrivedPlan } from '../../support/planning/contrived-plan.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

async function openAgent(app: TestApp) {
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  return app.client({ apiKey })
}

test('200: while contrived plans are searched for, other requests are answered, and so are simple plans', async () => {
  await using app = await openTestApp()
  const [agent, other] = [await openAgent(app), await openAgent(app)]
  const ids = (await agent.validators()).data.map(({ id }) => id)
  const order: string[] = []
  const noted = async (name: string, call: Promise<unknown>) => {
    await call
    order.push(name)
  }
  const positions = [{ stakedTokenId: '0x1', validatorId: ids[0] ?? '', principal: '5000000000' }]
  const contrived = [1, 2, 3].map(() => noted('contrived', agent.planRebalance(contrivedPlan(ids))))
  await agent.health()
  await noted('usage', other.usage())
  await noted('plan', other.planRebalance({ positions }))
  await noted('allocation', other.allocate({ amount: '10000000000' }))
  await Promise.all(contrived)
  assert.deepEqual(order, ['usage', 'plan', 'allocation', 'contrived', 'contrived', 'contrived'])
})

test('503: an agent has a limited number of long decisions that wait; others get their turn', async () => {
  await using app = await openTestApp()
  const [agent, other] = [await openAgent(app), await openAgent(app)]
  const ids = (await agent.validators()).data.map(({ id }) => id)
  const many = Array.from({ length: 12 }, () =>
    agent.planRebalance(contrivedPlan(ids)).then(
      () => 200,
      ({ status, code }) => `${status} ${code}`,
    ),
  )
  assert.equal((await other.planRebalance(contrivedPlan(ids))).certificate.nodes > 1, true)
  const statuses = await Promise.all(many)
  assert.deepEqual(new Set(statuses), new Set([200, '503 service_overloaded']))
  assert(statuses.filter((status) => status === 200).length <= 8)
})
