import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'

const { app, sharePage } = await openServiceAndBrowser()

const openIn = (locale: string) => sharePage({ theme: 'light', width: 1280, locale })
const inGerman = await openIn('de-DE')
/** The kind of space between number and unit differs by locale, and by version of the locale data. */
const plain = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ')

for (const [locale, watched] of [
  ['de-DE', inGerman],
  ['en-IN', await openIn('en-IN')],
] as const) {
  test(`${locale}: amounts, percentages and prices are written by the locale, with units`, async () => {
    const { totalStake, decimals, symbol } = await app.client().network()
    const { priceUsd } = await app.client().price()
    const { data } = await app.client().validators()
    const best = data.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))[0]
    const inLocale = (value: number | bigint, options: Intl.NumberFormatOptions) =>
      plain(new Intl.NumberFormat(locale, options).format(value))
    const short = { notation: 'compact', minimumSignificantDigits: 4, maximumSignificantDigits: 4 } as const
    const { page } = watched
    await watched.visit('/')
    const figures = plain(await page.locator('.stats').first().textContent())
    const tokens = inLocale(Number(totalStake) / 10 ** decimals, short)
    assert(figures.includes(`${tokens} ${symbol}`), `${tokens} ${symbol} in ${figures}`)
    const price = inLocale(priceUsd, {
      style: 'currency',
      currency: 'USD',
      ...(priceUsd < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 }),
    })
    assert(figures.includes(price), `${price} in ${figures}`)
    // To the last unit, in tokens and in smallest units.
    const title = plain(await page.locator('.stats .number').first().getAttribute('title'))
    const whole = inLocale(BigInt(totalStake) / 10n ** BigInt(decimals), {})
    assert(title.startsWith(whole) && title.includes(symbol), title)
    assert(title.endsWith(`= ${inLocale(BigInt(totalStake), {})} smallest units`), title)

    await watched.visit('/validators')
    const row = plain(await page.locator('tbody tr').first().textContent())
    const percent = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
    const apy = inLocale((best?.apy ?? 0) / 100, percent)
    assert(row.includes(best?.name ?? '–') && row.includes(apy), `${apy} in ${row}`)
    watched.assertClean(`numbers in ${locale}`)
  })
}

for (const locale of ['ar', 'hi-IN'])
  test(`${locale}: no figure has a word in another script, because the pages are in English`, async () => {
    const watched = await openIn(locale)
    const { page } = watched
    await watched.visit('/')
    const figures = (await page.locator('.stats').first().textContent()) ?? ''
    assert.match(figures, /\d[BM] SBX/)
    assert.doesNotMatch(figures, /[\p{Script=Arabic}\p{Script=Devanagari}]/u)
    watched.assertClean(`figures in ${locale}`)
  })

test('numbers in sentences of the service are written by the locale, too', async () => {
  const { page, visit } = inGerman
  await visit('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByText(/^Moving lifts the yield from \d+,\d\d\s% to \d+,\d\d\s%, and/).waitFor()
  await visit('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText(/^Stakes 5\.000 SBX with /).waitFor()
  inGerman.assertClean('sentences in de-DE')
})

test('an amount with a decimal comma is read to the last unit if the locale has decimal commas', async () => {
  const { symbol } = await app.client().network()
  const { page, visit } = inGerman
  await visit('/allocate')
  const amount = page.getByLabel('Amount', { exact: true })
  await amount.fill('2500,000000001')
  await page.waitForURL(/amount=2500000000001(&|$)/)
  // An ambiguous amount is shown as it was read.
  await amount.fill('1.500')
  await page.waitForURL(/amount=1500000000000(&|$)/)
  await page.getByText(`Read as 1.500 ${symbol}: “,” is the decimal sign here.`).waitFor()
  await amount.fill('1.5')
  await page.getByText('Write 1,5: “,” is the decimal sign here.').waitFor()
  assert.match(page.url(), /amount=1500000000000(&|$)/)
  await visit('/allocate?amount=2500500000000')
  assert.equal(await amount.inputValue(), '2500,5')
  await visit('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'Where it is now' }).waitFor()
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  assert.equal(await page.locator('.problem').count(), 0, 'the page reads what it writes')
  inGerman.assertClean('a decimal comma')
})

test('a position whose amount means another one elsewhere is planned with a note, and what was typed stays', async () => {
  const { data } = await app.client().validators()
  const { name = '', id = '' } = data.find(({ status }) => status === 'active') ?? {}
  for (const [watched, text, note] of [
    [await openIn('en-US'), '25.000', 'Line 1: read as 25 SBX: “.” is the decimal sign here.'],
    [inGerman, '25,000', 'Line 1: read as 25 SBX: “,” is the decimal sign here.'],
  ] as const) {
    const { page, visit } = watched
    await visit('/rebalance')
    const field = page.getByLabel('Or write it: one position per line')
    await field.fill(`${name}, ${text}`)
    await page.getByText(note).waitFor()
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page.waitForURL(new RegExp(`held=${id}-25000000000$`))
    await page.getByRole('heading', { name: 'Where it is now' }).waitFor()
    assert.equal(await field.inputValue(), `${name}, ${text}`)
    assert.equal(await page.getByText(note).count(), 1)
    await field.fill(`${name}, 25, 000`)
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page.getByText('Line 1: write an amount such as').waitFor()
    watched.assertClean('a noted position')
  }
})
