import assert from 'node:assert/strict'
import type { Input } from '@stakewright/contract'
import type { Browser, Page } from 'playwright-core'
import { DAY_MS } from '../../../server/src/durations.ts'
import { ME } from '../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'
import { openWatchedPage } from './watched-page.ts'

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

type Rules = Input<'writePolicy'>['rules']

/** The form of a policy that sets the lowest score to 40, after `added` was added to the policy elsewhere. */
export async function openOvertaken(
  app: TestApp,
  browser: Browser,
  { email, rules, added }: { readonly email: string; readonly rules: Rules; readonly added: Rules[number] },
) {
  await using opened = new AsyncDisposableStack()
  const owned = await ownerOf(app)(email)
  const { agent, owner, user } = owned
  await owner.writePolicy({ id: agent.id, rules })
  const watched = opened.use(await openWatchedPage(browser, app.url))
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Change the policy').click()
  await page.getByLabel('Lowest score').fill('40')
  await owner.writePolicy({ id: agent.id, rules: [...rules, added], revision: 1 })
  await button(page, 'Change the policy').click()
  await button(page, 'Set it').click()
  const form = page.getByRole('group', { name: 'Policy of the agent' })
  const resources = opened.move()
  return { ...owned, watched, page, form, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
