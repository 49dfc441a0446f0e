import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../../../server/test/support/registered-agent.ts'
import { button, ownerOf } from '../../support/policy-owner.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('a draft or a confirmation for one agent is not shown on the page of another', async () => {
  const email = 'two@example.com'
  const { agent, owner, user } = await ownerOf(app)(email)
  const other = await registerAgent(app, { email, agentName: 'other' })
  await owner.writePolicy({ id: agent.id, rules: [{ rule: 'actions', allow: ['stake'] }] })
  await owner.writePolicy({ id: other.id, rules: [{ rule: 'minScore', score: 50 }] })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const pageOf = (id: string) => page.locator(`a[href="/console/${id}"]`)
  await watched.signedInAs(user)
  await watched.open('/console')
  await pageOf(other.id).click()
  await page.getByText('a score of at least 50').waitFor()
  await page.getByRole('link', { name: 'Console', exact: true }).last().click()
  await pageOf(agent.id).click()
  await button(page, 'Change the policy').click()
  await page.getByLabel('Most in one transaction').fill('7')
  await button(page, 'Revoke').click()
  await button(page, 'Revoke for good').waitFor()

  await page.evaluate('history.go(-2)')
  await page.getByRole('heading', { name: 'other', level: 1 }).waitFor()
  await page.getByText('a score of at least 50').waitFor()
  assert.equal(await button(page, 'Revoke for good').count(), 0)
  assert.equal(await page.getByRole('group', { name: 'Policy of the agent' }).count(), 0)

  await page.evaluate('history.go(2)')
  await page.getByText('These changes were kept in this tab.').waitFor()
  assert.equal(await page.getByLabel('Most in one transaction').inputValue(), '7')
  watched.assertClean('two agents')
})
