import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { waitUntil } from '../../support/wait-until.ts'

const { app, sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

/** The number of pixels of the first plot in exactly the colour of marks; `undefined` before it is drawn. */
const MARKED = `(() => {
  const canvas = document.querySelector('.multiples .line-plot canvas')
  const sample = document.body.appendChild(document.createElement('i'))
  sample.style.color = 'var(--attention)'
  const [red, green, blue] = getComputedStyle(sample).color.match(/\\d+/g).map(Number)
  sample.remove()
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
  copy.drawImage(canvas, 0, 0)
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
  if (data.every((part) => part === 0)) return undefined
  let count = 0
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count++
  return count
})()`

async function showHistory(id: string) {
  await watched.visit(`/validators/${id}`)
  const figure = page.getByRole('figure').filter({ hasText: 'Net APY' }).first()
  await figure.locator('canvas').waitFor()
  await waitUntil(page, `${MARKED} !== undefined`)
  return figure
}

const pointsOf = async (id: string) =>
  (await app.client().validatorApyHistory({ id, period: 'all', limit: 90 })).data

/** A validator that missed an epoch long ago: marks reach as far back as the plots. */
async function findMissed() {
  const { data } = await app.client().validators()
  for (const { id } of data) {
    const points = await pointsOf(id)
    const missed = points.slice(0, -30).find(({ performed }) => performed === false)
    if (missed) return { missing: id, missed: missed.epoch, points }
  }
  return assert.fail('no validator of the sandbox has missed an epoch')
}

test('events of a validator are marked on its plots, and named at the crosshair and in the table', async () => {
  const { missing, missed, points } = await findMissed()
  const figure = await showHistory(missing)
  assert.notEqual(await page.evaluate(MARKED), 0, 'no mark is drawn')

  const area = await figure.locator('.u-over').boundingBox()
  const [first = 0, last = 0] = [points[0]?.epoch, points.at(-1)?.epoch]
  assert(area)
  await figure.locator('.u-over').hover({
    position: { x: (area.width * (missed - first)) / (last - first), y: area.height / 2 },
  })
  const label = figure.locator('.plot-label')
  await label.getByText(new RegExp(`^Epoch ${missed} · .*missed this epoch`)).waitFor()
  // One crosshair for all of them.
  const others = page.locator('.multiples .plot-label', { hasText: `Epoch ${missed} ·` })
  assert((await others.count()) >= 3)
  await figure.getByRole('button', { name: 'Show as table' }).click()
  await figure.getByRole('row', { name: new RegExp(`^${missed} .*missed this epoch`) }).waitFor()
  watched.assertClean('events of a validator')
})

test('a validator without events has no mark', async () => {
  const { data } = await app.client().validators()
  for (const { id } of data) {
    const points = await pointsOf(id)
    const rates = new Set(points.map(({ commissionRate }) => commissionRate))
    if (points.length < 10 || rates.size > 1 || points.some(({ performed }) => performed === false)) continue
    await showHistory(id)
    assert.equal(await page.evaluate(MARKED), 0)
    return
  }
  assert.fail('something happened to every validator')
})

test('the uptime component can be computed from the sentence beside it', async () => {
  const { data } = await app.client().validators()
  const validator = data.find(({ uptime, components }) => uptime !== null && components?.gate === 1)
  assert(validator)
  const RULE =
    /last (\d+) epochs in which it did its work, together with (\d+) assumed ones at (\d+)%\. 100% is best; (\d+)% or less/
  await watched.visit(`/validators/${validator.id}`)
  const text = String(await page.locator('.sum > div', { hasText: 'Uptime' }).textContent())
  const [epochs = 0, more = 0, usual = 0, floor = 0] = RULE.exec(text)?.slice(1).map(Number) ?? []
  const share = (100 * Number(validator.uptime) * epochs + more * usual) / (epochs + more)
  const shown = Number(/[01]\.\d{3}/.exec(text)?.[0])
  assert(Math.abs(shown - (share - floor) / (100 - floor)) <= 0.0005, text)
  await watched.visit('/score')
  await page.getByText(RULE).waitFor()
})

test('each rate of a validator names its epochs', async () => {
  const { data, epoch } = await app.client().validators()
  const one = data.find(({ apy, uptime }) => apy !== null && (uptime ?? 1) < 1) ?? data[0]
  await watched.visit(`/validators/${one?.id}`)
  await page.getByText('the lower of the means of 7 and 30 epochs', { exact: true }).waitFor()
  const figure = page.getByRole('figure').filter({ hasText: 'Net APY of each epoch' })
  const caption = (await figure.locator('figcaption').textContent()) ?? ''
  assert.match(caption, new RegExp(`in epoch ${epoch - 1}`))
  assert(caption.includes(`Its Net APY of ${(one?.apy ?? 0).toFixed(2)}% is the lower of the means`), caption)
  watched.assertClean('rates and their epochs')
})

test('the page of a validator that has left says what its uptime and score count, and does not offer it', async () => {
  const { data } = await app.client().validators()
  const gone = data.find(({ status }) => status === 'inactive')
  assert(gone)
  await watched.visit(`/validators/${gone.id}`)
  await page.getByText('Uptime while a member').waitFor()
  await page.getByText('It has left the committee: epochs without it count as missed.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Try an amount' }).count(), 0)
  watched.assertClean('a validator that has left')
})
