import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

/** The plan as a reader sees it, and what it was made from. */
async function readPlan(page: Page) {
  await page.getByRole('heading', { name: 'Where it is now' }).waitFor()
  await page.getByRole('button', { name: 'Plan', exact: true, disabled: false }).waitFor()
  return {
    plan: await page.getByRole('region', { name: 'The plan' }).textContent(),
    text: await page.locator('textarea').inputValue(),
    call: await page.getByLabel('the curl code', { exact: true }).textContent(),
  }
}

test('a plan is in the address: reload, back and forward, and a copied link show the same', async () => {
  const { data } = await app.client().validators()
  const [first, second] = data.filter(({ status }) => status === 'active')
  const token = `0x${'ab'.repeat(32)}`
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/rebalance')
  const field = page.getByLabel('Or write it: one position per line')
  const press = () => page.getByRole('button', { name: 'Plan', exact: true }).click()
  await field.fill(`${first?.name}, 25000.5, ${token}\n${second?.name}, 1000`)
  await press()
  const one = await readPlan(page)
  assert(one.call?.includes(token) && one.call.includes('25000500000000'), one.call ?? '')
  await page.reload()
  assert.deepEqual(await readPlan(page), one, 'after a reload')

  await field.fill(`${second?.name}, 70000`)
  await press()
  await page.waitForURL(/held=0x[0-9a-f]+-70000000000000$/)
  const other = await readPlan(page)
  assert.notDeepEqual(other, one)
  await page.goBack()
  await page.getByText('25,001 SBX').first().waitFor()
  assert.deepEqual(await readPlan(page), one, 'after going back')
  const link = page.url()
  await page.goForward()
  await page.getByText('70,000 SBX').first().waitFor()
  assert.deepEqual(await readPlan(page), other, 'after going forward')
  watched.assertClean('the plan in its tab')

  await using elsewhere = await openWatchedPage(browser, app.url)
  await elsewhere.open(link)
  assert.deepEqual(await readPlan(elsewhere.page), one, 'a link that was copied')
  elsewhere.assertClean('the plan by a link')
})

test('as many positions as a plan takes, with the longest ids and amounts, still fit into an address', async () => {
  const { data } = await app.client().validators()
  const { id } = data.find(({ status }) => status === 'active') ?? { id: '' }
  const lines = Array.from({ length: 50 }, (_, index) => {
    const token = `0x${(index + 16).toString(16).padStart(64, 'f')}`
    return `${id}, 10000000000.123456789, ${token}`
  })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/rebalance')
  await page.getByLabel('Or write it: one position per line').fill(lines.join('\n'))
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.waitForURL(/held=/)
  await page.getByRole('button', { name: 'Plan', exact: true, disabled: false }).waitFor()
  await page.reload()
  await page.waitForFunction(`document.querySelector('textarea')?.value.split('\\n').length === 50`)
  watched.takeMessages()
})

test('an address whose positions cannot be read says which one, and plans nothing', async () => {
  const { data } = await app.client().validators()
  const { id } = data.find(({ status }) => status === 'active') ?? { id: '' }
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  for (const [held, text] of [
    [`${id}-1000_${id}-1e9`, `Position 2 of the address cannot be read: “${id}-1e9”.`],
    [`${id}-99999999999999999999`, 'Position 1 of the address cannot be read'],
    [`${id}`, 'Position 1 of the address cannot be read'],
    [Array.from({ length: 51 }, () => '0x1-1').join('_'), 'The address has 51 positions; a plan takes 50.'],
  ] as const) {
    await watched.open(`/rebalance?held=${held}`)
    await page.getByText(text).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0)
  }
  await watched.open('/rebalance?owner=0x1&from=last')
  await page.getByText('“last” in the address (from) is no place in a list').waitFor()
  watched.assertClean('positions that cannot be read')
})
