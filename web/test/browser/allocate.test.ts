import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'

const { sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

test('all rates of the page are APY: plot, table and split agree, and the price of risk has no compounding in it', async () => {
  await watched.visit('/allocate?risk=0')
  const apy = (await page.locator('.figure-number').textContent()) ?? ''
  await page.getByText('Proven optimal: by the stated model no other split').waitFor()
  const proof = (await page.getByText(/The proof: no split can be worth more than/).textContent()) ?? ''
  const said =
    /Its (.*) APY is (.*) a year before compounding. The price of risk takes (.*) pts of that and leaves (.*%)\. The proof: no split can be worth more than (.*)\.$/.exec(
      proof,
    )
  assert.deepEqual([said?.[1], said?.[3]], [apy, '0.000'], proof)
  assert.equal(said?.[2], said?.[4], 'without risk aversion nothing is taken')
  assert.equal(said?.[5], said?.[4], 'what is proven to be the most is what this split is worth')
  const starts = await page.locator('.split-foot').allTextContents()
  const curves = page.getByRole('figure').filter({ hasText: 'Why it stops there' })
  const level = (await curves.getByText(/^level/).textContent())?.replace('level ', '')
  await curves.getByRole('button', { name: 'Show as table' }).click()
  for (const [index, text] of starts.entries()) {
    const cells = await curves
      .getByRole('row')
      .nth(index + 1)
      .getByRole('cell')
      .allTextContents()
    assert(
      text.includes(` ${cells.at(-2)} → `),
      `the first token of ${cells.join(', ')} is where ${text} starts`,
    )
    assert.equal(cells.at(-1), level)
  }
  watched.assertClean('the units')
})

test('a rate after the price of risk is labelled so, and the plain rules say which validators they choose from', async () => {
  await watched.visit('/allocate?amount=1000000000')
  const split = (await page.locator('.split-foot').first().textContent()) ?? ''
  const [, pays] = /→ (\S+%) APY/.exec(split) ?? []
  await page
    .getByText(
      new RegExp(
        `which then pays ${pays} APY\\. Its last token still earns \\S+ APY after the price of risk`,
      ),
    )
    .waitFor()
  const others = page.getByRole('region', { name: 'What others would do' })
  await others.getByText('by stake, largest of those to choose from').waitFor()
  await others.getByText('All rules choose among the 25 best-scored validators, as the split does').waitFor()
  watched.assertClean('what rates and rules mean')
})

test('the smallest and the largest amounts fit every look, their plots included', async () => {
  for (const path of ['/allocate?amount=1000000000', '/allocate?amount=1000000000000000000']) {
    await watched.visit(path)
    await page.getByRole('heading', { name: 'Why it stops there' }).waitFor()
    await watched.assertFitsEveryLook(path)
    await watched.resize(1440)
    await watched.assertFits(`${path}, 1440 px`)
  }
})

test('rows and hints promise only what the service does', async () => {
  await watched.visit('/allocate?risk=1000&validators=20')
  await page.getByText('Even 1,000 still weighs yield: parts stay unequal').waitFor()
  const shares = (await page.locator('.split-foot').allTextContents()).map((text) => Number.parseFloat(text))
  assert((shares[0] ?? 0) > 2 * (shares.at(-1) ?? 0), `${shares.join(', ')} are unequal`)
  await page.getByRole('row', { name: /^a tenth of the risk aversion/ }).waitFor()
  assert.equal(await page.getByRole('row', { name: /^(ten times|a higher)/ }).count(), 0)
  await page.getByRole('columnheader', { name: 'Before your stake' }).waitFor()
  assert.equal(await page.getByText('Pays now').count(), 0)
  await watched.visit('/allocate?risk=0')
  await page.getByRole('row', { name: /^a higher risk aversion/ }).waitFor()
  assert.equal(await page.getByRole('row', { name: /^a tenth/ }).count(), 0)
  watched.assertClean('the promises')
})

test('a plain rule with the same single validator is shown as earning as much', async () => {
  await watched.visit('/allocate?amount=100000000000&validators=1&risk=0')
  const rule = page.locator('li', { hasText: 'Everything with the highest quoted rate' })
  await rule.getByText('as much', { exact: true }).waitFor()
  assert.equal(await page.getByText('with more in one place').count(), 0)
  watched.assertClean('one validator')
})

/** Each text field of the lab, with an unreadable and a readable text. */
const TYPED = [
  [/^Amount$/, '1.2.3', '778'],
  [/^Amount$/, '', '777'],
  [/^Keep at hand/, 'much', '5'],
  [/^Address with stake already/, 'me', ''],
  [/^Groups that belong together/, 'North: 30%: Nobody', ''],
] as const

test('a split is shown only while every field is readable, and belongs to the values of the fields', async () => {
  await watched.visit('/allocate?amount=777000000000')
  await page.getByText('777 SBX over 1 validator').waitFor()
  await page.getByText('More limits').click()
  for (const [label, unread, read] of TYPED) {
    const field = page.getByLabel(label)
    await field.fill(unread)
    await page.getByText('The split appears here once everything above can be read.').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'The split' }).count(), 0, String(label))
    assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0, String(label))
    await field.fill(read)
    await page.getByRole('heading', { name: 'The split' }).waitFor()
  }
  // A link to the page without any choice empties the fields, too.
  await page.getByText('772 SBX over 1 validator').waitFor()
  await page.getByRole('link', { name: 'Allocate', exact: true }).click()
  await page.getByText('10.00M SBX over').waitFor()
  assert.equal(await page.getByLabel(/^Keep at hand/).inputValue(), '')
  assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), '10000000')
  watched.assertClean('what cannot be read')
})

test('pasted amounts are read by the same rules in every field of the lab', async () => {
  await watched.visit('/allocate')
  const amount = page.getByLabel('Amount', { exact: true })
  for (const [text, units, said] of [
    ['250000 SBX', '250000000000000', '250,000 SBX'],
    ['1.5k', '1500000000000', 'Read as 1,500 SBX.'],
    ['250,000', '250000000000000', 'Read as 250,000 SBX: “.” is the decimal sign here.'],
    ['20M', '20000000000000000', 'Read as 20,000,000 SBX.'],
  ] as const) {
    await amount.fill(text)
    await page.waitForURL(new RegExp(`amount=${units}(&|$)`))
    await page.getByText(said).first().waitFor()
  }
  await amount.fill('250 IKA')
  await page.getByText('“IKA” is not understood here: write SBX, such as 2500.5 or 10M.').waitFor()
  await amount.fill('20M')
  await page.getByText('More limits').click()
  const atHand = page.getByLabel(/^Keep at hand/)
  await atHand.fill('2k SBX')
  await page.waitForURL(/liquid=2000000000000(&|$)/)
  await page.getByText('Read as 2,000 SBX.').waitFor()
  await atHand.fill('20000000000')
  await page
    .getByText('That is more than the chain can count. Write at most 18,446,744,073.709551615 SBX.')
    .waitFor()
  assert.match(page.url(), /liquid=2000000000000(&|$)/)
  watched.assertClean('pasted amounts')
})

test('the back button undoes leaving out a validator, and the caption says which limit holds', async () => {
  await watched.visit('/allocate?amount=100000000000000000')
  await page.getByText(/would start at .* APY, but you asked for at most 5 validators\.$/).waitFor()
  await page
    .getByRole('button', { name: /^Leave out / })
    .first()
    .click()
  await page.waitForURL(/exclude=0x/)
  await page.getByText('Left out:').waitFor()
  await page.goBack()
  await page.getByText('Left out:').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '?amount=100000000000000000')
  await page.getByRole('heading', { name: 'The split' }).waitFor()
  watched.assertClean('a step back')
})

test('a range is shown with as many digits as its value, and contains it', async () => {
  for (const amount of ['10000000000000000', '4000000000000000000', '18000000000000000000']) {
    await watched.visit(`/allocate?amount=${amount}`)
    await page.getByText(/^Expected between \d/).waitFor()
    const [low, value, high] = await Promise.all([
      page.locator('.range-note strong').first().textContent(),
      page.locator('.figure-number').textContent(),
      page.locator('.range-note strong').nth(1).textContent(),
    ])
    assert(Number.parseFloat(low ?? '') <= Number.parseFloat(value ?? ''), `${low} ≤ ${value}`)
    assert(Number.parseFloat(value ?? '') <= Number.parseFloat(high ?? ''), `${value} ≤ ${high}`)
    for (const note of await page.locator('.split-foot').allTextContents()) {
      const [, own, from, to] = /→ ([\d.]+)% APY \(([\d.]+)% – ([\d.]+)%\)/.exec(note)?.map(Number) ?? []
      assert(from !== undefined && own !== undefined && to !== undefined, note)
      assert(from <= own && own <= to, note)
    }
  }
  watched.assertClean('ranges')
})
