import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_COUNTED, button, openOvertaken, ownerOf } from '../../support/policy-owner.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser({ LIMIT_REGISTER_IP_HOUR: '100' })
const openOwner = ownerOf(app)

const STAKES_BY_SCORE = [
  { rule: 'actions', allow: ['stake'] },
  { rule: 'minScore', score: 10 },
] as const

test('a limit says which actions it counts, and can leave out exits', async () => {
  const { agent, owner, user, symbol } = await openOwner('exits@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Set a policy').click()
  const counts = page.getByLabel('What counts within 24 hours')
  assert.equal(await counts.count(), 0, 'nothing is counted without a limit')
  await page.getByLabel('Most within 24 hours').fill('8')
  await page.getByLabel('Most in one transaction').fill('5')
  await page.getByText('more cannot be taken out in that time, either').waitFor()
  await counts.selectOption('counts stake only')
  await page.getByText('more cannot be taken out in that time, either').waitFor({ state: 'detached' })
  await page.getByText('more cannot be taken out at a time, either').waitFor()
  const form = page.getByRole('group', { name: 'Policy of the agent' })
  await form.getByText(`At most 8 ${symbol} within 24 hours, counting what it would stake.`).waitFor()
  await form.getByText(`At most 5 ${symbol} in one transaction${ALL_COUNTED}`).waitFor()
  await watched.resize(320)
  await watched.assertFits('what limits count, on a phone')
  await button(page, 'Set the policy').click()
  await button(page, 'Set it').click()
  await page.locator('h2#policy:focus').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual(data?.rules.slice(1), [
    { rule: 'maxPerTx', amount: '5000000000', actions: ['stake', 'unstake', 'withdraw'] },
    { rule: 'maxPerWindow', amount: '8000000000', window: 'day', actions: ['stake'] },
  ])
  await button(page, 'Change the policy').click()
  assert.equal(await counts.inputValue(), 'stake', 'the form shows what holds')
  watched.assertClean('what limits count')
})

test('a wait that the form does not offer is shown in its units, and a noted limit says how it is read', async () => {
  const { agent, owner, user, symbol } = await openOwner('waits@example.com')
  await owner.writePolicy({ id: agent.id, rules: [], loosenAfterSeconds: 4_321 })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Change the policy').click()
  const wait = page.getByLabel('A change that allows more takes effect').locator('option:checked')
  assert.equal(await wait.textContent(), 'after 1 h 12 min (4,321 s)')
  await page.getByLabel('Most within 24 hours').fill('25.000')
  await page.getByText(`Read as 25 ${symbol}: “.” is the decimal sign here.`).waitFor()
  watched.assertClean('a wait of 4321 s')
})

test('a draft can be merged into a newer revision, after that was shown', async () => {
  const most = { rule: 'maxPerTx', amount: '5000000000', actions: ['stake'] } as const
  await using overtaken = await openOvertaken(app, browser, {
    email: 'both@example.com',
    rules: STAKES_BY_SCORE,
    added: most,
  })
  const { agent, owner, symbol, watched, page, form } = overtaken
  await form.getByText('The policy was changed meanwhile: revision 2 holds.').waitFor()
  await form.getByText(`At most 5 ${symbol} in one transaction`).waitFor()
  assert(watched.takeMessages().every((message) => message.includes('412')))
  await watched.resize(320)
  await watched.assertFits('a newer revision, on a phone')
  await button(page, 'Put it on top of revision 2').click()
  await form.getByText('The policy was changed meanwhile').waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Lowest score').inputValue(), '40')
  assert.equal(await page.getByLabel('Most in one transaction').inputValue(), '5')
  await form.locator('s', { hasText: 'a score of at least 10.' }).waitFor()
  assert.equal(await form.locator('.changes-list > li').count(), 1, 'what the other has set stays')
  await button(page, 'Change the policy').click()
  await button(page, 'Set it').click()
  await page.locator('h2#policy:focus').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.equal(data?.revision, 3)
  assert.deepEqual(data.rules, [STAKES_BY_SCORE[0], most, { rule: 'minScore', score: 40 }])
  watched.assertClean('on top of a newer revision')
})

test('an unticked and reticked box is no change, an unknown id is pointed out, and an end date and the days of use are in UTC', async () => {
  const { agent, owner, user, second } = await openOwner('typo@example.com')
  const unknown = `0x${'ab'.repeat(32)}`
  const at = '2030-01-31T00:00:00.123Z'
  await owner.writePolicy({
    id: agent.id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'expires', at },
      { rule: 'networks', allow: ['sandbox', 'sui'] },
    ],
  })
  const context = await browser.newContext({
    baseURL: app.url,
    timezoneId: 'America/New_York',
    locale: 'en-US',
  })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Change the policy').click()
  await page.getByText('Nothing is changed yet.').waitFor()
  const box = page.getByRole('checkbox', { name: 'sandbox', exact: true })
  await box.uncheck()
  await page.getByText('Nothing is changed yet.').waitFor({ state: 'detached' })
  await box.check()
  await page.getByText('Nothing is changed yet.').waitFor()
  await page.getByLabel('Never these').fill(`${second.name}\n${unknown}`)
  const form = page.getByRole('group', { name: 'Policy of the agent' })
  await form.getByText(`${unknown} (no validator has this id now)`).waitFor()
  assert.equal(await form.getByText('no validator has this id now').count(), 1)
  await button(page, 'Discard the change').click()
  await page.getByText('It ends on Jan 31, 2030, 12:00:00 AM UTC').waitFor()
  const elsewhere = await context.newPage()
  await elsewhere.addInitScript(
    `sessionStorage.setItem('stakewright.session', ${JSON.stringify(JSON.stringify({ user }))})`,
  )
  await elsewhere.clock.setFixedTime(app.clock.now())
  await elsewhere.goto(`/console/${agent.id}`)
  await elsewhere
    .getByText('It ends on Jan 31, 2030, 12:00:00 AM UTC (here: Jan 30, 2030, 7:00:00 PM)')
    .waitFor()
  // The service counts by days of UTC, which begin on the evening before in New York.
  const use = elsewhere.getByRole('figure').filter({ hasText: 'Requests per day' })
  await use.getByRole('button', { name: 'Show as table' }).click()
  const utc = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
  assert.equal(await use.locator('tbody td').first().textContent(), utc.format(app.clock.now()))
  await context.close()
})

test('a pause set elsewhere while the form is open is named, and is kept by the change', async () => {
  await using overtaken = await openOvertaken(app, browser, {
    email: 'pause@example.com',
    rules: STAKES_BY_SCORE,
    added: { rule: 'paused' },
  })
  const { agent, owner, watched, page, form } = overtaken
  await form.getByText('The agent was paused meanwhile, in revision 2').waitFor()
  await form.getByText('“Set it” leaves it paused').waitFor()
  await form.getByRole('alert').getByText('Nothing was set: the policy was changed meanwhile.').waitFor()
  assert.equal(await page.getByText(/if-match/i).count(), 0)
  await button(page, 'Set it').click()
  await page.locator('h2#policy:focus').waitFor()
  const { data } = await owner.readPolicy({ id: agent.id })
  assert.deepEqual(
    data?.rules.map(({ rule }) => rule),
    ['actions', 'minScore', 'paused'],
  )
  assert(watched.takeMessages().every((message) => message.includes('412')))
})

test('rules that contradict each other, and an end in the past, are refused by the form at their fields', async () => {
  const { agent, user, first } = await openOwner('contrary@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  await button(page, 'Set a policy').click()
  await page.getByLabel('Only these').fill(first.name)
  await page.getByLabel('Never these').fill(first.id)
  await page.getByLabel('Largest share of one').fill('0')
  await page.getByLabel('It ends, UTC').fill('2020-01-01T00:00')
  for (const name of ['Never these', 'Largest share of one', 'It ends, UTC'])
    assert.equal(await page.getByLabel(name).getAttribute('aria-invalid'), 'true', name)
  await page
    .getByText(
      `Something is not right yet: “Never these”: “${first.name}” is in “Only these”, too. Take it out of one of them. “Largest share of one”: Write a number from 0.01 to 100. “It ends, UTC”: This moment is over.`,
    )
    .waitFor()
  assert.equal(await button(page, 'Set the policy').count(), 0)
  await watched.assertFits('contradictory rules')
})
