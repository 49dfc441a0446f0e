import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('the slider covers six orders of magnitude; the answer explains the split, plain rules and variations', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/allocate')
  const slider = page.getByLabel('Amount, from 100 to 100,000,000 SBX')
  await slider.press('Home')
  await page.waitForURL(/amount=100000000000(&|$)/)
  await slider.press('End')
  await page.waitForURL(/amount=100000000000000000(&|$)/)
  await page.locator('.answer[data-pending="false"]').waitFor()
  const curves = page.getByRole('figure').filter({ hasText: 'Why it stops there' })
  const level =
    (await curves
      .locator('svg')
      .getByText(/^level/)
      .textContent()) ?? ''
  await curves
    .getByText(`Each is filled until its next token earns ${level.replace('level ', '')} APY`)
    .waitFor()
  assert.equal(await curves.locator('svg circle').count(), await page.locator('.split-name').count())
  for (const rule of [
    'Everything with the highest quoted rate',
    'Equal parts, best scores',
    'By stake, largest',
  ])
    await page
      .locator('li', { hasText: rule })
      .getByText(/less a year|the same/)
      .waitFor()
  await page.getByText(/^Proven optimal/).waitFor()
  await page.getByRole('row', { name: /^at most 5 validators \(this split\)/ }).waitFor()
  // A screen of 1280 px, zoomed to 400%.
  await watched.resize(320)
  await watched.assertFits('the lab, 320 px')
  watched.assertClean('the lab')
})

test('every limit of an allocation can be set, stays in the URL, and is part of the copied call', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { data } = await app.client().validators()
  const [first, second] = data
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  await watched.open('/allocate')
  await page.getByText('More limits').click()
  await page.getByLabel(/^Lowest score/).fill('40')
  await page.getByLabel(/^Highest commission/).fill('12')
  await page.getByLabel(/^Keep at hand/).fill('1000')
  await page.getByText('stay unstaked, so that they are at hand in time').waitFor()
  await page.getByLabel('Groups that belong together').fill('Both: 30 %')
  await page.getByText('Line 1: write a name').waitFor()
  await page.getByLabel('Groups that belong together').fill(`Both: 30 %: ${first?.name}, ${second?.name}`)
  const call = page.getByLabel('the curl code', { exact: true })
  await call.getByText('"groups":[{"name":"Both","maxShare":0.3').waitFor()
  const text = (await call.textContent()) ?? ''
  for (const part of ['"minScore":40', '"maxCommission":0.12', '"keepLiquid":{"amount":"1000000000000"'])
    assert(text.includes(part), `${part} in ${text}`)
  await page.reload()
  await watched.settle()
  assert.equal(await call.textContent(), text)
  await page.getByText('5 set').waitFor({ state: 'hidden' })
  await page.getByText('4 set').waitFor()
  await watched.assertAccessible('the lab with every limit')
  watched.assertClean('the lab with every limit')
})

test('“Why not” explains a validator by a rule of the network, a limit of the user, or its cost', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { data } = await app.client().validators()
  const barred = data.find(({ ineligible }) => ineligible.length > 0)
  const ranked = data
    .filter(({ score, ineligible }) => score !== null && ineligible.length === 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const [unchosen, unseen] = [ranked[20], ranked.at(-1)]
  await watched.open('/allocate')
  const question = page.getByLabel('Why not …')
  await question.selectOption(unchosen?.id ?? '')
  await page.getByText(`Everything with ${unchosen?.name} would earn`).waitFor()
  watched.assertClean('why not')
  await question.selectOption(unseen?.id ?? '')
  await page.getByText('not among the 25 best-scored validators').waitFor()
  await page
    .getByText(/no other split that keeps your limits is worth more.* among the 25 best-scored validators/)
    .waitFor()
  // No request is sent: the browser would log its refusal.
  watched.assertClean('why not one that the tier does not see')
  if (barred) {
    await question.selectOption(barred.id)
    await page.getByText(`${barred.name} may not be chosen`).waitFor()
  }
  await watched.open('/allocate?score=40')
  await question.selectOption(unseen?.id ?? '')
  await page.getByText('is below the lowest score that you allow').waitFor()
  watched.assertClean('why not')
})

test('the rebalance lab plans an example, draws the break-even and shows the same call', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'dark', width: 390 })
  const { page } = watched
  await watched.open('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'Move' }).waitFor()
  await page.locator('svg.break-even circle').waitFor()
  await watched.assertFitsEveryLook('a plan')
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('columnheader', { name: 'Epochs from now' }).waitFor()
  await page.getByLabel('the curl code', { exact: true }).getByText('rebalance-plan').waitFor()
  await watched.assertAccessible('the plan')
  watched.assertClean('the plan')
})
