import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ROUTES } from '@stakewright/contract/routes'
import type { Page } from 'playwright-core'
import { openTestApp } from '../../../../server/test/support/test-app.ts'
import { openChromium } from '../../support/chromium.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const browser = await openChromium()
after(() => browser.close())

/** The time between two steps of a slider whose key is held down. */
const STEP_MS = 333

async function press(page: Page, keys: readonly string[]): Promise<void> {
  await page.getByLabel(/^Amount, from/).focus()
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.clock.runFor(STEP_MS)
  }
}

/** Counts the requests for splits. */
function countSplits(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === ROUTES.allocate.path) count += 1
  })
  return () => count
}

/** The lab with its first split, at the time of the service. */
async function openLab() {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp())
  const watched = opened.use(await openWatchedPage(browser, app.url))
  const { page } = watched
  await page.clock.install({ time: app.clock.now() })
  const splits = countSplits(page)
  await watched.open('/allocate')
  await page.getByText('10.00M SBX over').waitFor()
  const resources = opened.move()
  return { app, watched, page, splits, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('a cached split is shown again without a request', async () => {
  await using lab = await openLab()
  const { watched, page, splits } = lab
  await press(page, ['ArrowLeft'])
  await page.getByText('9.440M SBX over').waitFor()
  const known = splits()
  await press(
    page,
    Array.from({ length: 20 }, (_, index) => (index % 2 ? 'ArrowLeft' : 'ArrowRight')),
  )
  await page.getByText('9.440M SBX over').waitFor()
  assert.deepEqual([known, splits()], [2, 2])
  watched.assertClean('two amounts')
})

test('a slider that moves for a minute stays within the limit of an address', async () => {
  await using lab = await openLab()
  const { watched, page, splits } = lab
  await press(page, [...Array(150).fill('ArrowLeft'), ...Array(30).fill('ArrowRight')])
  await page.clock.runFor(2_000)
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  assert(splits() > 10 && splits() <= 55, `${splits()} requests`)
  watched.assertClean('a minute of steps')
})

test('at the limit the last split stays, marked as old, and the page retries by itself', async () => {
  await using lab = await openLab()
  const { app, watched, page } = lab
  const state = page.locator('.netstate')
  await state.getByText('live').waitFor()
  while ((await fetch(`${app.url}${ROUTES.price.path}`)).status !== 429);
  await press(page, ['ArrowLeft', 'ArrowLeft'])
  await page.getByText(/asks again by itself in \d+ s\./).waitFor()
  await page.getByText('This is the last split, for 10,000,000 SBX').waitFor()
  await state.getByText('waits for its limit of requests').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await watched.assertAccessible('a split at the limit')
  const splits = countSplits(page)
  await press(page, ['ArrowLeft', 'ArrowLeft'])
  assert.equal(splits(), 0, 'nothing is sent before the time is over')
  app.clock.advance(60_000)
  await page.clock.runFor(61_000)
  await page.getByText('7.940M SBX over').waitFor()
  assert.equal(await page.getByText('This is the last split').count(), 0)
  await state.getByText('live').waitFor()
  assert(watched.takeMessages().every((message) => /status of 429/.test(message)))
})

test('limits that no split can keep are refused by the page, which says what to change and keeps the last split', async () => {
  await using app = await openTestApp()
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/allocate')
  await page.getByText('10.00M SBX over').waitFor()
  const share = page.getByLabel(/^Largest share/)
  await share.fill('10')
  await page.getByText('5 validators with at most 10% each hold only 50% of the amount.').waitFor()
  await page.getByText('This is the last split, for 10,000,000 SBX').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await page.getByRole('button', { name: 'Allow 10 validators' }).click()
  await page.getByText('10.00M SBX over 10 validators').waitFor()
  await page.getByLabel(/^At most/).fill('3')
  await page.getByRole('button', { name: 'Allow 35% each' }).click()
  await page.getByText('10.00M SBX over 3 validators').waitFor()
  // The service refuses limits that only it can check: a retry of the same request is not offered.
  await page.getByText('More limits').click()
  await page.getByLabel(/^Lowest score/).fill('100')
  await page.getByRole('alert').waitFor()
  await page.getByText('This is the last split').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  assert(watched.takeMessages().every((message) => /status of 4\d\d/.test(message)))
})
