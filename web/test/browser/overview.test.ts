import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../server/src/durations.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

/** By how much the page scrolls sideways. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const percent = (value: number, decimals: number): string => `${value.toFixed(decimals)}%`

test('the overview shows the progress of the epoch, the yield, the stake, its price, and the next changes', async () => {
  const client = app.client()
  const [epoch, history, network] = await Promise.all([
    client.epoch(),
    client.apyHistory({ period: 'all', limit: 90 }),
    client.network(),
  ])
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  // The page's clock is the service's: a quarter of the epoch is over.
  await page.clock.setFixedTime(epoch.startTimestampMs + epoch.durationMs / 4)
  await watched.open('/')
  const dial = page.locator('.epoch')
  await dial.getByText(String(epoch.epoch), { exact: true }).waitFor()
  await dial.getByText('25% done').waitFor()
  await dial.getByText('Stake made now earns from').waitFor()
  const newest = history.data.at(-1)
  const figure = page.getByRole('figure').filter({ hasText: 'Network APY' })
  // The total stake beside it is the committee's.
  await figure.getByText('over all stake inside and outside the committee, net of commission').waitFor()
  await page.locator('.stat', { hasText: 'Total stake' }).getByText('of the committee').waitFor()
  await figure
    .getByText(percent(newest?.apy ?? 0, 2), { exact: true })
    .first()
    .waitFor()
  await figure.locator('canvas').waitFor()
  await figure.getByRole('button', { name: 'Show as table' }).click()
  assert.equal(await figure.locator('tbody tr').count(), history.data.length)
  for (const label of ['Total stake', 'Price', 'Rewards per epoch'])
    assert.match(
      (await page.locator('.stat', { hasText: label }).locator('.value').textContent()) ?? '',
      /\d/,
    )
  await page.locator('.stat', { hasText: 'Rewards per epoch' }).getByText('in all, in equal parts').waitFor()
  assert.equal(network.network, 'sandbox')
  watched.assertClean('the overview')
})

test('an epoch that is long overdue fits a small phone', async () => {
  const { endTimestampMs } = await app.client().epoch()
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 320 })
  await watched.page.clock.setFixedTime(endTimestampMs + 1_234 * DAY_MS + 22 * HOUR_MS)
  await watched.open('/')
  await watched.page.getByText('1234 d 22 h').waitFor()
  assert(Number(await watched.page.evaluate(SIDEWAYS)) <= 0)
})

test('without an answer all figures of the network, the price included, are shown as unknown', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.goto(`${app.url}/`)
  await page.getByText('The service does not answer.').first().waitFor()
  const figures = page.locator('.stat')
  for (const label of ['Total stake', 'Price', 'Rewards per epoch']) {
    const figure = figures.filter({ hasText: label })
    await figure.locator('.value').getByText('–', { exact: true }).waitFor()
    assert.equal(await figure.textContent(), `${label}–`)
  }
  assert(watched.takeMessages().every((message) => /ERR_CONNECTION_REFUSED/.test(message)))
})

test('the next changes name validators that leave, join, risk their seat or change their commission', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { minValidatorStake } = await app.client().network()
  // A test cannot choose the events of the simulated chain: four changes are put into its answer.
  await page.route('**/api/v1/staking/validators', async (route) => {
    const response = await route.fetch({ maxRetries: 3 })
    const answer = await response.json()
    const [first, second, third, fourth] = answer.data
    Object.assign(first, { commissionRate: 0.05, nextCommissionRate: 0.08 })
    Object.assign(second, { status: 'leaving' })
    Object.assign(third, { status: 'pending' })
    const least = { totalStake: minValidatorStake, pendingStake: '0', withdrawingStake: '0' }
    Object.assign(fourth, { status: 'active', ...least })
    await route.fulfill({ response, json: answer })
  })
  await watched.open('/')
  const card = page.locator('.changes')
  await card.getByText('raises its commission from 5.0% to 8.0%').first().waitFor()
  await card.getByText('leaves the committee').first().waitFor()
  await card.getByText('joins the committee with').first().waitFor()
  await card.getByText('is only 0.0% above what a seat needs').waitFor()
  await watched.assertAccessible('changes')
  watched.assertClean('changes')
  await page.unrouteAll({ behavior: 'wait' })
})

test('a validator’s score is the sum of its parts, and its place shows the distance to the threshold and the neighbours', async () => {
  const client = app.client()
  const { data } = await client.validators()
  const { weights } = await client.scoring()
  const { minValidatorStake } = await client.network()
  const coming = (one: (typeof data)[number]) =>
    BigInt(one.totalStake) + BigInt(one.pendingStake) - BigInt(one.withdrawingStake)
  // The largest validator leaves: it is a member now, but not of the next committee.
  const [leaver, ...staying] = data
    .filter(({ status }) => status === 'active' || status === 'pending')
    .toSorted((a, b) => Number(coming(b) - coming(a)))
  const [before, own, after] = staying.slice(9)
  assert(leaver && before && own && after && own.components && own.score !== null)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/api/v1/staking/validators', async (route) => {
    const response = await route.fetch({ maxRetries: 3 })
    const answer: { data: { id: string; status: string }[] } = await response.json()
    for (const one of answer.data) if (one.id === leaver.id) one.status = 'leaving'
    await route.fulfill({ response, json: answer })
  })
  await watched.open(`/validators/${own.id}`)
  const sum = page.getByRole('group', { name: 'Sum of the score' })
  for (const part of ['apy', 'uptime', 'commission'] as const) {
    const points: number = 100 * own.components.gate * (weights[part] ?? 0) * own.components[part]
    const row = sum.locator('> div', { has: page.locator(`[data-part="${part}"]`) })
    assert.equal(await row.locator('.number').last().textContent(), points.toFixed(1))
  }
  assert.equal(await sum.locator('.total .number').textContent(), own.score.toFixed(1))

  assert.equal(await page.title(), `${own.name} · Stakewright`)
  const headroom = Number(coming(own)) / Number(minValidatorStake) - 1
  const place = page.getByRole('figure').filter({ hasText: 'Its place in the committee' })
  await place
    .getByText(
      `It is number 11 of the ${staying.length} who stay or join, by coming stake, ${percent(headroom * 100, 1)} above`,
    )
    .waitFor()
  const near = page.getByRole('table', { name: 'Nearest by coming stake' })
  await near.getByRole('columnheader', { name: 'Coming stake' }).waitFor()
  await near.getByRole('link', { name: before.name }).waitFor()
  await near.getByRole('link', { name: after.name }).click()
  await page.getByRole('heading', { level: 1, name: after.name }).waitFor()
  await watched.visit(`/validators/${leaver.id}`)
  await page.getByText('It is in the committee for the last time').waitFor()
  const outside = data.find(({ status }) => status === 'candidate' || status === 'inactive')
  await watched.visit(`/validators/${outside?.id}`)
  await page.getByText('It has no seat. Its coming stake is').waitFor()
  await watched.visit('/validators')
  await page.getByRole('columnheader', { name: 'Above threshold, next epoch' }).waitFor()
  watched.assertClean('a validator')
  await page.unrouteAll({ behavior: 'wait' })
})

test('dial, figures and first changes are above the fold of a laptop, each change with its epoch, and the menu marks the page', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.setViewportSize({ width: 1280, height: 800 })
  await watched.open('/')
  const { epoch } = await app.client().epoch()
  const changes = page.locator('.changes li')
  await changes
    .first()
    .getByText(`from epoch ${epoch + 1}`)
    .waitFor()
  assert.equal(await changes.getByText(/^from epoch \d+$/).count(), await changes.count())
  for (const seen of [page.locator('.dial'), page.locator('.stats').first(), changes.nth(1)]) {
    const box = await seen.boundingBox()
    assert(box && box.y + box.height <= 800, JSON.stringify(box))
  }
  // The menu tells the open page from the one that is pointed at.
  const look = (path: string) =>
    page.evaluate(`(() => {
    const { backgroundColor, boxShadow } = getComputedStyle(document.querySelector('.nav a[href="${path}"]'))
    return backgroundColor + ' ' + boxShadow
  })()`)
  await page.locator('.nav a[href="/validators"]').hover()
  const [open, pointedAt, other] = [await look('/'), await look('/validators'), await look('/allocate')]
  assert.equal(new Set([open, pointedAt, other]).size, 3, String([open, pointedAt, other]))
})
