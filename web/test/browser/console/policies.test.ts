import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ME } from '../../../../server/test/support/holdings.ts'
import { press, tabTo, typeInto } from '../../support/by-keyboard.ts'
import { ALL_COUNTED, button, openOvertaken, ownerOf } from '../../support/policy-owner.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser({ LIMIT_REGISTER_IP_HOUR: '100' })
const openOwner = ownerOf(app)

test('an agent is paused and resumed after a confirmation each, and its former rules hold again', async () => {
  const { agent, owner, user, stake } = await openOwner('ann@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  const policy = page.getByRole('region', { name: 'Policy' })
  await policy.getByText('None. The agent may build whatever the chain accepts.').waitFor()
  await stake(1)
  await button(page, 'Pause').click()
  await policy.getByText('The agent builds nothing from now on').waitFor()
  await stake(1)
  await button(page, 'Pause now').click()
  await policy.getByText('Paused: nothing may be built.').waitFor()
  await policy.getByText('After it is resumed:').waitFor()
  const state = page.locator('.page-head .badge').first()
  assert.equal(await state.textContent(), 'paused')
  await assert.rejects(stake(1), { code: 'forbidden', message: /paused/ })
  await page.getByRole('link', { name: 'Console', exact: true }).first().click()
  const row = page.getByRole('row', { name: 'yield-scout' })
  await row.getByText('paused', { exact: true }).waitFor()
  await row.locator('.policy-words', { hasText: /^lists actions$/ }).waitFor()
  await row.getByRole('link').click()
  await page.getByText('0 of 100', { exact: true }).waitFor()
  await button(page, 'Resume').click()
  await policy.getByText('The agent may build again at once').waitFor()
  await assert.rejects(stake(1), { code: 'forbidden' }, 'a question is not an answer')
  await button(page, 'Resume now').click()
  await policy.getByText('Paused: nothing may be built.').waitFor({ state: 'detached' })
  const done = page.getByRole('region', { name: 'What was done to it' })
  for (const action of ['paused it.', 'resumed it.']) await done.getByText(`Its owner ${action}`).waitFor()
  assert.equal(await state.textContent(), 'active')
  await stake(1)
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual([data?.revision, data?.rules.map(({ rule }) => rule)], [2, ['actions']])
  watched.assertClean('pausing')
})

test('the list of agents shows usage and policy of each agent, as the API has them', async () => {
  const { agent, owner, user, stake } = await openOwner('list@example.com')
  for (const tokens of [1, 2, 3]) await stake(tokens)
  const most = { rule: 'maxPerTx' as const, amount: '5000000000' }
  const asked = { rule: 'approvalAbove' as const, amount: '4000000000' }
  const hours = { rule: 'hours' as const }
  const actions = { rule: 'actions' as const, allow: ['stake' as const] }
  await owner.writePolicy({ id: agent.id, rules: [actions, most, asked, hours] })
  const { data } = await owner.readAgent({ id: agent.id })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open('/console')
  const row = page.getByRole('row', { name: 'yield-scout' })
  await row
    .locator('.policy-words', { hasText: 'limits amount per transaction, your approval and 2 more' })
    .waitFor()
  const today = row.getByTitle(`At most ${data.rateLimits.rpm} a minute and ${data.rateLimits.rpd} a day.`)
  assert.equal((await today.textContent())?.trim(), String(data.used.rpd))
  const [done = '', round = ''] =
    (await today.locator('.ring-used').getAttribute('stroke-dasharray'))?.split(' ') ?? []
  assert(Math.abs(Number(done) / Number(round) - data.used.rpd / data.rateLimits.rpd) < 0.001)
  const days = data.requestsPerDay.filter((count) => count > 0).length
  assert.deepEqual([days, await row.locator('.day-spark rect').count()], [1, 1])
  watched.assertClean('the list of agents')
})

test('a policy is written in a form, shown in words before it is set, and then enforced', async () => {
  const { agent, owner, user, stake, first, second, symbol } = await openOwner('bob@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Set a policy').click()
  await page.getByLabel('withdraw', { exact: true }).uncheck()
  await page.getByText('It may only stake, unstake and join staked tokens.').first().waitFor()
  await page.getByLabel('join', { exact: true }).uncheck()
  await page.getByLabel('Most in one transaction').fill('5')
  await page.getByLabel('Most within 24 hours').fill('8')
  await page.getByLabel('Ask me above').fill('4.5')
  await page.getByLabel('Never these').fill(`${second.name}\nNobody at all`)
  await page.getByText('No validator is called “Nobody at all”.').first().waitFor()
  assert.equal(await button(page, 'Set the policy').count(), 0, 'what is wrong cannot be set')
  await page.getByLabel('Never these').fill(second.name)
  await page.getByLabel('Largest share of one').fill('100')
  await page.getByLabel('It ends, UTC').fill('2030-01-31T12:00')
  await page.getByLabel('A change that allows more takes effect').selectOption('after a day')
  const changes = page.getByRole('group', { name: 'Policy of the agent' })
  for (const text of [
    'It may only stake and unstake.',
    `At most 5 ${symbol} in one transaction${ALL_COUNTED}`,
    `At most 8 ${symbol} within 24 hours${ALL_COUNTED}`,
    `You are asked first above 4.5 ${symbol} in one transaction${ALL_COUNTED}`,
    `No stake may go to ${second.name}; stake that is there may be withdrawn.`,
  ])
    await changes.getByText(text).waitFor()
  await watched.assertAccessible('a policy in the form')
  await button(page, 'Set the policy').click()
  await page.getByText('from now on, on every instance.').waitFor()
  await page.getByText('Its owner gets a mail about the change.').waitFor()
  await button(page, 'Set it').click()
  // The form shows the same text before the policy is set: only afterwards the title has the focus.
  await page.locator('h2#policy:focus').waitFor()
  const policy = page.getByRole('region', { name: 'Policy' })
  await policy.getByText('it stays in force for 1 d').first().waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  const all = ['stake', 'unstake', 'withdraw'] as const
  assert.deepEqual(data?.rules, [
    { rule: 'actions', allow: ['stake', 'unstake'] },
    { rule: 'validators', deny: [second.id] },
    { rule: 'maxPerTx', amount: '5000000000', actions: all },
    { rule: 'maxPerWindow', amount: '8000000000', window: 'day', actions: all },
    { rule: 'approvalAbove', amount: '4500000000', actions: all },
    { rule: 'maxShare', share: 1 },
    { rule: 'expires', at: '2030-01-31T12:00:00.000Z' },
  ])
  await assert.rejects(stake(6), { code: 'forbidden', message: /maxPerTx/ })
  await assert.rejects(stake(1, second.id), { code: 'forbidden', message: /validators/ })
  await assert.rejects(stake(5, first.id), { code: 'approval_needed' })
  await stake(4)

  await button(page, 'Change the policy').click()
  await page.getByText('Nothing is changed yet.').waitFor()
  await page.getByLabel('Most in one transaction').fill('')
  await page.getByLabel('Most within 24 hours').fill('3')
  const before = page.locator('s', { hasText: `At most 8 ${symbol} within 24 hours${ALL_COUNTED}` })
  await before.waitFor()
  await button(page, 'Change the policy').click()
  await page.getByText('When this policy is loosened, it stays in force for 1 d').first().waitFor()
  await button(page, 'Set it').click()
  const beside = policy.locator('.beside')
  await beside.getByText(/Revision 1 still holds beside it until .* Until then, too:/).waitFor()
  assert.deepEqual(
    await beside.locator('li').allTextContents(),
    [
      `At most 5 ${symbol} in one transaction${ALL_COUNTED}`,
      `At most 8 ${symbol} within 24 hours${ALL_COUNTED}`,
    ],
    'the rules that were loosened or changed are listed; unchanged ones stand above',
  )
  await beside.getByText('Its other 5 rules stand above.').waitFor()
  await policy.getByText('History: 2 revisions').click()
  const history = policy.locator('.revisions')
  await history.getByText('bob@example.com').first().waitFor()
  assert.equal(await history.getByRole('button', { name: 'Copy the hash of this revision' }).count(), 2)
  await history.locator('s', { hasText: `At most 5 ${symbol} in one transaction${ALL_COUNTED}` }).waitFor()
  await watched.assertAccessible('a policy with its history')
  watched.assertClean('a policy')
})

test('a rule is shown with its exact figures, before it is set and after', async () => {
  const { agent, owner, user, symbol } = await openOwner('exact@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Set a policy').click()
  await page.getByLabel('Most in one transaction').fill('1,000.5')
  await page.getByLabel('Most within 30 days').fill('1,234,900.000000001')
  await page.getByLabel('Ask me above').fill('1,000.5')
  await page.getByText('You are never asked:').waitFor()
  await page.getByLabel('Ask me above').fill('999.999999999')
  await page.getByText('You are never asked:').waitFor({ state: 'detached' })
  await page.getByLabel('Largest share of one').fill('33.3333')
  await page.getByLabel('Lowest score').fill('72.5555')
  await page.getByLabel('Highest commission').fill('7.125')
  await page.getByLabel('Who may sign').fill(ME)
  const assertExact = async (place: ReturnType<Page['getByRole']>) => {
    for (const text of [
      `At most 1,000.5 ${symbol} in one transaction${ALL_COUNTED}`,
      `At most 1,234,900.000000001 ${symbol} within 30 days${ALL_COUNTED}`,
      `You are asked first above 999.999999999 ${symbol} in one transaction${ALL_COUNTED}`,
      'more than 33.3333% of all',
      'a score of at least 72.5555.',
      'is at most 7.125%.',
      `Only ${ME} may sign.`,
    ])
      await place.getByText(text).waitFor()
  }
  await assertExact(page.getByRole('group', { name: 'Policy of the agent' }))
  await button(page, 'Set the policy').click()
  await button(page, 'Set it').click()
  await button(page, 'Change the policy').waitFor()
  await assertExact(page.getByRole('region', { name: 'Policy' }))
  await watched.resize(360)
  await watched.assertFits('exact figures on a phone')
  const { data } = await owner.readPolicy({ id: agent.id })
  const most = data?.rules.find(({ rule }) => rule === 'maxPerTx')
  assert(most?.rule === 'maxPerTx')
  assert.equal(most.amount, '1000500000000')
})

test('a policy that somebody else has changed meanwhile is not overwritten', async () => {
  await using overtaken = await openOvertaken(app, browser, {
    email: 'carol@example.com',
    rules: [{ rule: 'actions', allow: ['stake'] }],
    added: { rule: 'paused' },
  })
  const { agent, owner, watched, page } = overtaken
  await page.getByText('The policy was changed meanwhile').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual(
    data?.rules.map(({ rule }) => rule),
    ['actions', 'paused'],
  )
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('412')))
  await button(page, 'Cancel').click()
  await button(page, 'Discard the change').click()
  await page.getByText('Paused: nothing may be built.').waitFor()
})

test('the draft of a policy survives a reload, and the agent can be paused meanwhile', async () => {
  const { agent, owner, user, stake } = await openOwner('erin@example.com')
  await owner.writePolicy({ id: agent.id, rules: [{ rule: 'actions', allow: ['stake'] }] })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Change the policy').click()
  await page.getByLabel('Lowest score').fill('40')
  // The page is reloaded before it paints the change.
  await page.evaluate('requestAnimationFrame = setTimeout = () => 0')
  await page.getByLabel('unstake', { exact: true }).check()
  await page.reload()
  await page.getByText('These changes were kept in this tab.').waitFor()
  assert.equal(await page.getByLabel('Lowest score').inputValue(), '40')
  assert(await page.getByLabel('unstake', { exact: true }).isChecked())
  await button(page, 'Pause').click()
  await button(page, 'Pause now').click()
  await button(page, 'Resume').waitFor()
  await assert.rejects(stake(1), { code: 'forbidden', message: /paused/ })
  // The draft continues from there, and does not resume the agent by itself.
  assert.equal(await page.getByLabel('Lowest score').inputValue(), '40')
  await page.getByRole('checkbox', { name: 'paused', exact: true, checked: true }).waitFor()
  await button(page, 'Change the policy').click()
  await button(page, 'Set it').click()
  await page.locator('h2#policy:focus').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual(data?.rules.map(({ rule }) => rule).toSorted(), ['actions', 'minScore', 'paused'])
  await page.reload()
  await button(page, 'Change the policy').click()
  await page.getByLabel('Lowest score').fill('41')
  await button(page, 'Discard the change').click()
  await page.reload()
  await button(page, 'Change the policy').waitFor()
  watched.assertClean('a policy that is kept')
})

test('the form of a policy fits every look, and is filled by keyboard alone', async () => {
  const { agent, owner, user, first } = await openOwner('dora@example.com')
  await owner.writePolicy({
    id: agent.id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'validators', allow: [first.id] },
      { rule: 'hours', days: ['mon', 'tue', 'wed'], from: 22, to: 6 },
      { rule: 'senders', allow: [ME] },
    ],
  })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await page.getByText('Only Monday to Wednesday, 22:00 to 06:00 UTC of the next day.').waitFor()
  await button(page, 'Change the policy').click()
  await page.getByText('On the next day.').waitFor()
  await page.getByLabel('Most within an epoch').fill('1000')
  await watched.assertFitsEveryLook('the form of a policy')
  await button(page, 'Discard the change').click()
  await watched.open(`/console/${agent.id}`)
  await press(page, /^Change the policy$/)
  await tabTo(page, /^unstake$/)
  await page.keyboard.press('Space')
  await typeInto(page, /^Most in one transaction$/, '7')
  await tabTo(page, /^Wed$/)
  await page.keyboard.press('Space')
  await tabTo(page, /^To$/)
  await page.keyboard.press('ArrowUp')
  await press(page, /^Change the policy$/)
  await press(page, /^Set it$/)
  await page.getByText('Only on Monday or Tuesday, 22:00 to 05:00 UTC of the next day.').waitFor()
  await page.locator('h2#policy:focus').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual(data?.rules[0], { rule: 'actions', allow: ['stake', 'unstake'] })
  watched.assertClean('a policy by keyboard')
})
