import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

/** Moves a slider step by step over its range and back, at last to its place for 1,000 tokens. */
const DRAG = (slider: SVGElement | HTMLElement): void => {
  if (!(slider instanceof HTMLInputElement)) return
  for (let step = 0; step <= 440; step += 1) {
    slider.value = String(step <= 240 ? step : 480 - step)
    slider.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

test('the slider covers six orders of magnitude; the answer explains the split, plain rules and variations', async () => {
  await watched.visit('/allocate')
  const slider = page.getByLabel('Amount, from 100 to 100,000,000 SBX')
  await slider.press('Home')
  await page.waitForURL(/amount=100000000000(&|$)/)
  // Dragged to and fro for some seconds: more changes of the URL than a browser takes.
  await slider.evaluate(DRAG)
  await page.waitForURL(/amount=1000000000000(&|$)/)
  await page.getByText('1,000 SBX over').waitFor()
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
  await watched.resize(1280)
  watched.assertClean('the lab')
})

test('every limit of an allocation can be set, stays in the URL, and is part of the copied call', async () => {
  const { data } = await app.client().validators()
  const [first, second] = data
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  await watched.visit('/allocate')
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
  const { data } = await app.client().validators()
  const barred = data.find(({ ineligible }) => ineligible.length > 0)
  const ranked = data
    .filter(({ score, ineligible }) => score !== null && ineligible.length === 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const [unchosen, unseen] = [ranked[20], ranked.at(-1)]
  await watched.visit('/allocate')
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
  await watched.visit('/allocate?score=40')
  await question.selectOption(unseen?.id ?? '')
  await page.getByText('is below the lowest score that you allow').waitFor()
  watched.assertClean('why not')
})

test('a split is found, shared by its URL, and changed by leaving out a validator', async () => {
  await watched.visit('/allocate')
  await page.getByLabel('Amount', { exact: true }).fill('250000')
  await page.getByText('250,000 SBX', { exact: false }).first().waitFor()
  const first = page.locator('.split-name').first()
  const name = (await first.textContent()) ?? ''
  await page.getByRole('button', { name: `Leave out ${name}` }).click()
  await page.getByText('Left out:').waitFor()
  await page.locator('.answer[data-pending="false"]').waitFor()
  assert.notEqual(await first.textContent(), name)

  const address = page.url()
  assert.match(address, /amount=250000000000000&exclude=0x/)
  await using other = await openWatchedPage(browser, app.url)
  await other.open(address)
  await other.page.locator('.split-name').first().waitFor()
  assert.equal(await other.page.locator('.split-name').first().textContent(), await first.textContent())
  watched.assertClean('the lab')
})

test('an ambiguous comma, and an amount of more than 64 bits, are refused with advice', async () => {
  await watched.visit('/allocate')
  const amount = page.getByLabel('Amount', { exact: true })
  const before = page.url()
  for (const text of ['1,5', '1,50', '2500,5', '1,2345']) {
    await amount.fill(text)
    await page.getByText(`Write ${text.replace(',', '.')}: “.” is the decimal sign here.`).waitFor()
  }
  await amount.fill('999999999999999')
  await page.getByText('That is more than the chain can count.').waitFor()
  assert.equal(page.url(), before, 'nothing was taken for another amount')
  await amount.fill('1,500')
  await page.waitForURL(/amount=1500000000000(&|$)/)
  await page.getByText('Read as 1,500 SBX: “.” is the decimal sign here.').waitFor()
  await amount.fill('1,500,000.5')
  await page.getByText('1,500,000.5 SBX').first().waitFor()
  await amount.fill('1500.25')
  await page.getByText('1,500.25 SBX').first().waitFor()
  watched.assertClean('amounts')
})

test('a typing error is explained beside its field, and the text stays', async () => {
  await watched.visit('/allocate')
  const amount = page.getByLabel('Amount', { exact: true })
  await amount.fill('1,5,x')
  await page.getByText(/^Write an amount such as/).waitFor()
  assert.equal(await amount.inputValue(), '1,5,x')
  assert.equal(await amount.getAttribute('aria-invalid'), 'true')
  await watched.visit('/rebalance')
  await page.getByLabel('Or write it: one position per line').fill('Nobody, 5')
  await page.getByRole('button', { name: 'Plan' }).click()
  await page.getByText('Line 1: there is no validator called “Nobody”.').waitFor()
  watched.assertClean('the forms')
})

test('the rebalance lab plans an example, draws the break-even and shows the same call', async () => {
  await watched.resize(390)
  await watched.visit('/rebalance')
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
