import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { DAY_MS } from '../../../server/src/durations.ts'
import { ME } from '../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'

/** The end of the sentence about a limit that counts all actions that move stake. */
export const ALL_COUNTED = ', counting what it would stake, unstake or withdraw.'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** An agent, its signed-in owner, and two active validators. */
export const ownerOf = (app: TestApp) => async (email: string) => {
  const agent = await registerAgent(app, { email })
  const token = await signIn(app, email)
  const key = app.client({ apiKey: agent.apiKey })
  const { symbol } = await key.network()
  const { data } = await key.validators()
  const [first, second] = data.filter(({ status }) => status === 'active')
  assert(first && second)
  const stake = (tokens: number, validatorId = first.id) =>
    key.buildStake({ validatorId, amount: `${tokens}000000000`, sender: ME })
  const user = { name: email, token, expiresAt: Date.now() + DAY_MS }
  return { agent, owner: app.client({ token }), user, stake, first, second, symbol }
}
