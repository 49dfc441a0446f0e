import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@stakewright/contract'
import type { Page } from 'playwright-core'
import { tabTo } from '../../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const shared = await sharePage()

type Validators = Reply<'validators'>['data']

const shownIds = (page: Page) =>
  page
    .locator('tbody .name-cell a')
    .evaluateAll((links) => links.map((one) => one.getAttribute('href')?.replace('/validators/', '') ?? ''))

test('a click on a column head sorts by that column, and a filter leaves exactly the matching rows', async () => {
  const { data } = await app.client().validators()
  const byId = new Map(data.map((one) => [one.id, one]))
  const { page } = shared
  await shared.visit('/validators?show=all')
  const heads: readonly (readonly [string, (one: Validators[number]) => number | null, boolean])[] = [
    ['Net APY', ({ apy }) => apy, false],
    ['Commission', ({ commissionRate }) => commissionRate, true],
    ['Stake', ({ totalStake }) => Number(totalStake), false],
    ['Score', ({ score }) => score, false],
  ]
  for (const [head, figureOf, isUpFirst] of heads)
    for (const isUp of [isUpFirst, !isUpFirst]) {
      const cell = page.getByRole('columnheader', { name: head })
      await cell.getByRole('button').click()
      await page.locator(`th[aria-sort="${isUp ? 'ascending' : 'descending'}"]`, { hasText: head }).waitFor()
      const values = (await shownIds(page)).map((id) => figureOf(byId.get(id) ?? assert.fail(id)))
      const known = data.map(figureOf).filter((value) => value !== null)
      const sorted = known.toSorted((a, b) => (isUp ? a - b : b - a))
      const unknown = Array<null>(data.length - known.length).fill(null)
      assert.deepEqual(values, [...sorted, ...unknown], `${head}, ${isUp ? 'up' : 'down'}`)
    }

  await page.getByLabel('Highest commission').selectOption('5')
  const cheap = data.filter(({ commissionRate }) => commissionRate <= 0.05)
  await page.getByText(`${cheap.length} validators`, { exact: true }).waitFor()
  assert.deepEqual((await shownIds(page)).toSorted(), cheap.map(({ id }) => id).toSorted())
  await page.getByRole('button', { name: 'In the committee' }).click()
  const seated = cheap.filter(({ status }) => status === 'active' || status === 'leaving')
  await page.getByText(`${seated.length} validators`, { exact: true }).waitFor()
  assert.deepEqual((await shownIds(page)).toSorted(), seated.map(({ id }) => id).toSorted())
  shared.assertClean('sorting and filtering')
})

test('on a phone the table sorts by hidden columns, too, with the same URL, and shows the sorted figure', async () => {
  const { data } = await app.client().validators()
  const byId = new Map(data.map((one) => [one.id, one]))
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 360 })
  const { page } = watched
  await watched.open('/validators?show=all')
  const sortBy = page.getByLabel('Sort by')
  const first = page.getByLabel('What comes first')
  const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/[↑↓]|\s+/g, ' ').trim())
  const heads = plain(await page.locator('.table th').allTextContents())
  assert((await page.locator('.table th:visible').count()) < heads.length)
  assert.deepEqual(plain(await sortBy.locator('option').allTextContents()), heads)

  for (const width of [360, 430]) {
    await watched.resize(width)
    await tabTo(page, /^Sort by/)
    for (const _ of heads) if ((await sortBy.inputValue()) !== 'stake') await page.keyboard.press('ArrowDown')
    await page.waitForURL('/validators?show=all&sort=stake')
    await tabTo(page, /^What comes first/)
    await page.keyboard.press('ArrowDown')
    await page.waitForURL('/validators?show=all&sort=stake&order=up')
    const stakes = (await shownIds(page)).map((id) => BigInt(byId.get(id)?.totalStake ?? assert.fail(id)))
    assert.deepEqual(
      stakes,
      stakes.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
    await page
      .locator('tbody tr')
      .first()
      .getByText(/^stake [\d.]+/)
      .waitFor()
    await watched.assertFits(`sorted by stake, ${width} px`)
    await sortBy.selectOption('Score')
    await page.waitForURL('/validators?show=all&sort=score')
  }
  for (const box of await page.locator('tbody .score-bar').all()) {
    const { width = 0, x = 0 } = (await box.boundingBox()) ?? {}
    assert(width >= 40 && x > 0 && x + width < 430, `a score bar of ${width} px at ${x}`)
  }
  assert((await page.locator('tbody .score-bar i:visible').count()) > data.length)
  await watched.resize(1280)
  assert.deepEqual([await sortBy.isVisible(), await first.isVisible()], [false, false])
  watched.assertClean('sorting on a phone')
})

/** Names that are cut off. */
const CUT = `[...document.querySelectorAll('.table .name')]
  .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)
  .map((name) => name.textContent)`

test('ordinary names are never cut off, from the narrowest phone to a wide screen', async () => {
  const { page } = shared
  for (const path of ['/validators?show=all', '/score']) {
    await shared.visit(path)
    for (const width of [320, 360, 768, 1024, 1440]) {
      await shared.resize(width)
      assert.deepEqual(await page.evaluate(CUT), [], `${path}, ${width} px`)
    }
  }
})

test('score bars, spark lines and uptime squares of the table match the API', async () => {
  const { data } = await app.client().validators()
  const { weights } = await app.client().scoring()
  const { data: histories } = await app.client().validatorHistories({ epochs: 30 })
  const { page } = shared
  await shared.resize(1280)
  await shared.visit('/validators?show=all')
  await page.locator('.spark path').first().waitFor()
  for (const [index, id] of (await shownIds(page)).entries()) {
    const row = page.locator('tbody tr').nth(index)
    const parts = data.find((one) => one.id === id)?.components
    const widths = await row
      .locator('.score-bar i')
      .evaluateAll((bars) => bars.map((bar) => Number.parseFloat(bar.getAttribute('style')?.slice(7) ?? '')))
    const points = (['apy', 'uptime', 'commission'] as const).map(
      (part) => 100 * (parts?.gate ?? 0) * (weights[part] ?? 0) * (parts?.[part] ?? 0),
    )
    assert.equal(widths.length, parts ? points.length : 0, id)
    for (const [at, width] of widths.entries())
      assert(Math.abs(width - (points[at] ?? Number.NaN)) < 0.01, `${id}: ${widths} for ${points}`)

    const { apy = [], performed = [] } = histories.find((one) => one.id === id) ?? {}
    const known = apy.filter((value) => value !== null)
    const path = known.length < 2 ? '' : ((await row.locator('.spark path').getAttribute('d')) ?? '')
    assertDrawn(path, known, id)
    const states = await row
      .locator('.squares rect')
      .evaluateAll((squares) => squares.map((one) => one.getAttribute('data-state')))
    assert.deepEqual(
      states,
      performed.map((one) => (one === null ? 'unknown' : one ? 'done' : 'missed')),
    )
  }
  shared.assertClean('drawings of the table')
})

/** Checks that the drawn heights are proportional to the values. */
function assertDrawn(path: string, values: readonly number[], id: string): void {
  const heights = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => -Number(y))
  assert.equal(heights.length, values.length < 2 ? 0 : values.length, id)
  if (heights.length === 0) return
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const [bottom, top] = [Math.min(...heights), Math.max(...heights)]
  for (const [at, value] of values.entries()) {
    const wanted = high === low ? bottom : bottom + ((value - low) / (high - low)) * (top - bottom)
    assert(Math.abs((heights[at] ?? Number.NaN) - wanted) <= 0.11, `${id}: ${path} for ${values}`)
  }
}

test('without the weights of the score the bars are left out, and the page says so', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/staking/scoring', (route) => route.fulfill({ status: 500, json: {} }))
  for (const path of ['/validators', '/']) {
    await watched.open(path)
    await page.getByText('What the scores are made of could not be loaded').waitFor()
    assert.equal(await page.locator('.score-bar').count(), 0)
    await watched.assertAccessible(`${path} without weights`)
  }
  assert(watched.takeMessages().every((message) => /status of 500/.test(message)))
})

test('a committee that does not change is said to have nothing announced', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/api/v1/staking/validators', async (route) => {
    const response = await route.fetch({ maxRetries: 3 })
    const answer = await response.json()
    for (const one of answer.data)
      Object.assign(one, { status: 'active', nextCommissionRate: one.commissionRate, inNextCommittee: true })
    await route.fulfill({ response, json: answer })
  })
  await watched.open('/validators?show=changing')
  await page.getByText('Nothing is announced').waitFor()
  await watched.open('/validators?show=changing&q=nobody')
  await page.getByText('No validator fits.').waitFor()
  watched.assertClean('nothing announced')
})
