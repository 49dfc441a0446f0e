import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAINTED } from '../../support/layout-shifts.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

/** Lists with one chosen item: page, list and item. */
const CHOICES = [
  ['/validators', '.nav', 'a'],
  ['/validators', '.segments', 'button'],
  ['/allocate', '.tabs', 'button'],
  ['/docs/allocation', '.docs-nav', 'li a'],
  ['/sandbox', '.life', 'li'],
] as const

/** Drawings whose colours carry their content: page, selector and pseudo-element. */
const DRAWN = [
  ['/validators', '.score-bar i', ''],
  ['/validators', '.score-legend .key', '::before'],
  ['/allocate', '.split-bar i', ''],
  ['/allocate', '.compare .meter i', ''],
] as const

const CHOSEN = '[aria-current], [aria-pressed="true"], [aria-selected="true"]'
const GROUND = 'getComputedStyle(document.body).backgroundColor'
const NONE = 'rgba(0, 0, 0, 0)'

/** The painted backgrounds of chosen items, and of the others. */
const grounds = (list: string, item: string) => `(() => {
  const isChosen = (one) => one.matches('${CHOSEN}')
  const items = [...document.querySelectorAll('${list} ${item}')].filter((one) => one.checkVisibility())
  const painted = (wanted) => [...new Set(items.filter((one) => isChosen(one) === wanted).map((one) => getComputedStyle(one).backgroundColor))]
  return { chosen: painted(true), others: painted(false) }
})()`

const colours = (selector: string, part: string) => `(() => {
  const shown = [...document.querySelectorAll('${selector}')].filter((one) => one.getBoundingClientRect().width > 0)
  return [...new Set(shown.map((one) => getComputedStyle(one, '${part}').backgroundColor))]
})()`

test('with forced colours, light or dark, chosen items and drawings stay visible', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.emulateMedia({ forcedColors: 'active' })
  await page.addInitScript(`localStorage.setItem('theme', 'light')`)
  for (const path of new Set([...CHOICES, ...DRAWN].map(([each]) => each))) {
    await watched.open(path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme })
      const ground = String(await page.evaluate(GROUND))
      for (const [, list, item] of CHOICES.filter(([each]) => each === path)) {
        await page.locator(`${list} ${item}:is(${CHOSEN}):visible`).first().waitFor()
        const { chosen, others } = toGrounds(await page.evaluate(grounds(list, item)))
        assert.equal(chosen.length, 1, `${path} ${list}, ${colorScheme}: one kind of chosen, ${chosen}`)
        const plain = [...others, ground, NONE]
        assert(others.length > 0 && !plain.includes(chosen[0] ?? ''), `${path} ${list}: ${chosen}, ${plain}`)
      }
      for (const [, selector, part] of DRAWN.filter(([each]) => each === path)) {
        await page.locator(selector).first().waitFor()
        const drawn = toColours(await page.evaluate(colours(selector, part)))
        assert(drawn.length > 1, `${selector}, ${colorScheme}: ${drawn} are not distinguishable`)
        assert(!drawn.includes(ground) && !drawn.includes(NONE), `${selector}: ${drawn}`)
      }
    }
  }
  watched.assertClean('forced colours')
})

test('lines of plots keep their own colours if colours are forced', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/')
  const inked = () => page.locator('.line-plot canvas').first().evaluate(INK)
  const own = await inked()
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' })
  await watched.open('/')
  assert.equal(await inked(), own)
})

/** The most frequent colour of a drawing that is no grey. */
const INK = (canvas: SVGElement | HTMLElement): string => {
  if (!(canvas instanceof HTMLCanvasElement)) return ''
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
  const counts = new Map<string, number>()
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4)
    if (alpha < 255 || Math.max(red, green, blue) - Math.min(red, green, blue) < 32) continue
    const colour = `${red} ${green} ${blue}`
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 'none'
}

/** The colours of a plot on paper and after it. A browser that prints waits for microtasks only. */
const PRINTED = `(async () => {
  const inkAfter = async (event) => {
    dispatchEvent(new Event(event))
    for (let turn = 0; turn < 9; turn += 1) await undefined
    return (${INK})(document.querySelector('.line-plot canvas'))
  }
  return [await inkAfter('beforeprint'), await inkAfter('afterprint')]
})()`

/** The casts hold because the scripts above return these shapes. */
const toGrounds = (value: unknown) =>
  value as { readonly chosen: readonly string[]; readonly others: readonly string[] }
const toColours = (value: unknown) => value as readonly string[]

test('on paper a page has light colours, those of plots included, and neither top bar nor controls', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'dark', width: 1280 })
  const { page } = watched
  for (const path of ['/', '/score', '/validators']) {
    await watched.open(path)
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
    const dark = await page.evaluate(GROUND)
    await page.emulateMedia({ media: 'print' })
    assert.notEqual(await page.evaluate(GROUND), dark, path)
    const controls = page
      .locator('.topbar, main button:not(th > button), main input[type="range"]')
      .filter({ visible: true })
    assert.deepEqual(await controls.allTextContents(), [], path)
    for (const head of await page.locator('main th').all()) await head.getByText(/\w/).waitFor()
    await page.locator('h1').waitFor()
    await page.emulateMedia({ media: 'screen' })
  }
  await watched.visit('/')
  const inked = () => page.locator('.line-plot canvas').first().evaluate(INK)
  const [before, [printed, after]] = [await inked(), toColours(await page.evaluate(PRINTED))]
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(PAINTED)
  assert.notEqual(printed, before)
  assert.deepEqual([printed, after], [await inked(), before])
  watched.assertClean('paper')
})
