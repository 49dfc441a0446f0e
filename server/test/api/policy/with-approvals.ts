import assert from 'node:assert/strict'
import { ApprovalNeeded, type Input } from '@stakewright/client'
import type { Logger } from '#ports/logger.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import { openTestApp } from '../../support/test-app.ts'

export const ANN = 'ann@example.com'
export const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
export const ABOVE_FIVE = { rule: 'approvalAbove', amount: '5000000000' } as const

type Rules = Input<'writePolicy'>['rules']

export async function openWithApprovals(more: Rules = [], logger: Logger = silentLogger) {
  const app = await openTestApp({
    env: { ...ADMIN, LIMIT_IP_RPM: '1000', LIMIT_REGISTER_IP_HOUR: '20' },
    logger,
  })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const [validatorId = '', other = ''] = data.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE, ...more] })
  const wish = { validatorId, amount: TEN, sender: ME }
  const stake = (approvalId?: string) => key.buildStake({ ...wish, ...(approvalId && { approvalId }) })
  const decide = (approvalId: string, decision: 'approve' | 'refuse') =>
    ann.decideApproval({ id: agent.id, approvalId, decision })
  const states = async () => (await ann.listApprovals({ id: agent.id })).data.map(({ state }) => state)
  const dispose = () => app[Symbol.asyncDispose]()
  return { app, agent, ann, key, wish, other, stake, decide, states, [Symbol.asyncDispose]: dispose }
}

/** The approval that a build waits for. */
export async function approvalOf(build: Promise<unknown>) {
  const error = await build.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert(error instanceof ApprovalNeeded, String(error))
  return error.approval
}
