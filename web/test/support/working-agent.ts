import { DAY_MS } from '../../../server/src/durations.ts'
import { ME, TEN } from '../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'

/** An agent with a policy, that has worked for some days and waits for an approval. */
export async function openWorkingAgent(app: TestApp, email: string) {
  const { id, apiKey } = await registerAgent(app, { email })
  const agent = app.client({ apiKey })
  for (let day = 0; day < 6; day++) {
    for (let each = 0; each <= day % 3; each++) await agent.scoredValidators()
    await agent.usage()
    app.clock.advance(DAY_MS)
    await app.runJob('watch-network')
  }
  const owner = app.client({ token: await signIn(app, email) })
  const { data } = await agent.validators()
  const [first, second] = data.filter(({ status }) => status === 'active').map((one) => one.id)
  const rules = [
    { rule: 'actions', allow: ['stake', 'unstake'] } as const,
    { rule: 'validators', deny: [String(second)] } as const,
    { rule: 'maxPerTx', amount: '500000000000' } as const,
    { rule: 'maxPerWindow', amount: '800000000000', window: 'day' } as const,
    { rule: 'maxCommission', commission: 0.1 } as const,
    { rule: 'approvalAbove', amount: '5000000000' } as const,
  ]
  await owner.writePolicy({ id, rules })
  await agent.buildStake({ validatorId: String(first), amount: TEN, sender: ME }).catch(() => undefined)
  const { data: approvals } = await owner.listApprovals({ id })
  return { agentId: id, approvalId: approvals[0]?.approvalId ?? '' }
}
