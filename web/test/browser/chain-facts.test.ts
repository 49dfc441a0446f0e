import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const EPOCH_MS = 600_000

const { app, browser } = await openServiceAndBrowser({ SANDBOX_EPOCH_MS: String(EPOCH_MS) })

test('a validator’s page shows its next stake and seat, its announced commission and every change of it', async () => {
  const { data } = await app.client().validators()
  const changing = data.find((one) => one.commissionRate !== one.nextCommissionRate) ?? data[0]
  const id = changing?.id ?? ''
  const history = await app.client().validatorCommissionHistory({ id })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/validators/${id}`)
  const facts = page.getByRole('region', { name: 'What the chain says' })
  await facts.getByText('Coming stake, with all that is on its way').waitFor()
  await facts.getByText('Seat in the next committee').waitFor()
  const figure = page
    .getByRole('figure')
    .filter({ has: page.getByRole('heading', { name: 'Commission', exact: true }) })
  await figure.getByRole('button', { name: 'Show as table' }).click()
  const rows = await figure.locator('tbody tr').count()
  assert.equal(rows, history.data.length + (history.announced ? 1 : 0))
  await watched.assertAccessible('facts of a validator')
  watched.assertClean('facts of a validator')
})

test('a rate that was not read is shown as assumed, in the caption and in the table', async () => {
  const { data } = await app.client().validators()
  const id = data[0]?.id ?? ''
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route(`**/validators/${id}/commission-history*`, async (route) => {
    const response = await route.fetch({ maxRetries: 3 })
    const { data: changes, ...rest } = await response.json()
    const assumed = changes.map((change: object) => ({ ...change, source: 'assumed' }))
    await route.fulfill({
      response,
      json: { ...rest, data: assumed, assumedEpochs: [{ from: 3, to: 41 }] },
    })
  })
  await watched.open(`/validators/${id}`)
  const figure = page
    .getByRole('figure')
    .filter({ has: page.getByRole('heading', { name: 'Commission', exact: true }) })
  await figure.getByText('The rate of epochs 3 to 41 is assumed from a later reading.').waitFor()
  await figure.getByRole('button', { name: 'Show as table' }).click()
  assert.equal(await figure.locator('tbody tr').last().locator('td').last().textContent(), 'assumed')
  watched.assertClean('an assumed rate')
})

/** Opens a validator with its own text and link put into the answer: the simulated chain has none. */
async function openWith(watched: Awaited<ReturnType<typeof openWatchedPage>>, own: object): Promise<void> {
  const { data } = await app.client().validators()
  const path = `/validators/${data[0]?.id}`
  await watched.page.route(`**/api/v1/staking${path}`, async (route) => {
    const response = await route.fetch({ maxRetries: 3 })
    await route.fulfill({ response, json: { ...(await response.json()), ...own } })
  })
  await watched.open(path)
}

test('a validator’s own description is shown as text; its site is linked by https only, and learns nothing', async () => {
  await using safe = await openWatchedPage(browser, app.url)
  const description = '<img src=x onerror=console.log(1)> <b>10 % guaranteed</b>'
  await openWith(safe, { description, projectUrl: 'https://stake.example.org/about' })
  await safe.page.getByText(description).waitFor()
  const link = safe.page.getByRole('link', { name: 'stake.example.org' })
  assert.match((await link.getAttribute('rel')) ?? '', /noopener noreferrer/)
  assert.equal(await safe.page.locator('main img').count(), 0)
  safe.assertClean('words of a stranger')

  for (const projectUrl of ['http://stake.example.org', 'javascript:alert(1)', '//stake.example.org']) {
    const words = `Words beside ${projectUrl}`
    await openWith(safe, { description: words, projectUrl })
    await safe.page.getByText(words, { exact: true }).waitFor()
    assert.equal(await safe.page.locator('.own-words a').count(), 0, projectUrl)
  }
})

test('the page of accuracy has no figures at first, then errors by horizon, as plot and table', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/accuracy')
  await page.getByText('none of their epochs is over yet').waitFor()
  for (let epoch = 0; epoch < 9; epoch++) {
    app.clock.advance(EPOCH_MS)
    await app.runJob('watch-network')
  }
  const { results } = await app.client().accuracy()
  await page.reload()
  await watched.settle()
  await page.getByText('Mean error over 7 epochs').waitFor()
  assert.equal(
    await page.getByRole('table', { name: 'Projections against outcomes' }).locator('tbody tr').count(),
    3,
  )
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  assert.equal(await page.locator('.figure-table tbody tr').count(), results[0]?.epochs.length)
  await watched.assertAccessible('accuracy')
  watched.assertClean('accuracy')
})
