import assert from 'node:assert/strict'
import { test } from 'node:test'
import { press, typeInto } from '../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { waitUntil } from '../support/wait-until.ts'

const { app, sharePage } = await openServiceAndBrowser()
const watched = await sharePage({ theme: 'light', width: 1440 })
const { page } = watched

test('a guide has its sections beside it, and links to the guides before and after it', async () => {
  await watched.visit('/docs/allocation')
  const title = await page.locator('h1').textContent()
  const contents = page.getByRole('navigation', { name: 'On this page' })
  const sections = await page.locator('.guide h2').count()
  assert.equal(await contents.getByRole('link').count(), sections)
  await contents.getByRole('link', { name: 'The certificate' }).click()
  await page.waitForURL(/#the-certificate$/)
  await waitUntil(page, 'document.getElementById("the-certificate").getBoundingClientRect().top < 200')

  const ways = page.getByRole('navigation', { name: 'Guides before and after' })
  const next = (await ways.getByRole('link', { name: /^Next/ }).locator('strong').textContent()) ?? ''
  await ways.getByRole('link', { name: /^Next/ }).click()
  await page.getByRole('heading', { level: 1, name: next }).waitFor()
  await ways.getByRole('link', { name: /^Previous/ }).click()
  await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor()
  watched.assertClean('guides')
})

test('the commands of a guide are for the service that shows it', async () => {
  await watched.visit('/docs/agents')
  const text = (await page.locator('.guide').textContent()) ?? ''
  assert(text.includes(`${app.url}/mcp`))
  assert(!text.includes('http://127.0.0.1:3000'))
  watched.assertClean('an address in a guide')
})

test('a search finds guides and endpoints, and says when there is nothing', async () => {
  await watched.visit('/docs')
  await page.getByLabel('Search the docs').fill('certificate')
  await page.getByRole('link', { name: /^The certificate/ }).click()
  await page.getByRole('heading', { level: 2, name: 'The certificate' }).waitFor()
  await page.getByLabel('Search the docs').fill('qqqq')
  await page.getByText('No page has these words.').waitFor()
  watched.assertClean('search')

  // Loaded, because the focus begins at the top of a document.
  await watched.open('/docs')
  await typeInto(page, /^Search the docs$/, 'certificate')
  await page.getByRole('link', { name: /^The certificate/ }).waitFor()
  await press(page, /^The certificate/)
  await page.getByRole('heading', { level: 2, name: 'The certificate' }).waitFor()
  // The focus moves to the section that was found.
  await page.locator('#the-certificate:focus').waitFor()
  await waitUntil(page, 'document.getElementById("the-certificate").getBoundingClientRect().top < 200')
  watched.assertClean('search by keyboard')
})

const SIZES = `(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)`
/** The cast holds because the script above returns this shape. */
const toSizes = (value: unknown) => value as { readonly scrollWidth: number; readonly clientWidth: number }

/** Cells of tables that are narrower than the page. */
const SQUEEZED = `[...document.querySelectorAll('.guide-table tbody td')]
  .filter((cell) => cell.clientHeight > 0 && cell.clientWidth < document.querySelector('.guide').clientWidth - 1)
  .map((cell) => cell.textContent)`

test('no guide scrolls sideways on a phone, and every row of its tables is a list', async () => {
  await watched.resize(390)
  await watched.visit('/docs/allocation')
  await page.getByText('All guides and endpoints').click()
  const links = page.getByRole('navigation').locator('a[href^="/docs/"]')
  await links.nth(10).waitFor()
  const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')))
  for (const path of new Set(hrefs.map((href) => href?.split('#')[0] ?? ''))) {
    await watched.visit(path)
    const { scrollWidth, clientWidth } = toSizes(await page.evaluate(SIZES))
    assert(scrollWidth <= clientWidth, `${path}: ${scrollWidth} px`)
    assert.deepEqual(await page.evaluate(SQUEEZED), [], `${path} has cells that are columns still`)
  }
  watched.assertClean('guides on a phone')
})
