import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../server/test/support/sample-network.ts'
import { assertColours } from '../../support/axe.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage, type WatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

/** A fault that is there in some looks only, and where the watcher has to find it. */
type Fault = { readonly html: string; readonly css: string; readonly found: RegExp }

const FAULTS: Readonly<Record<string, Fault>> = {
  'a faint text on the narrowest screen in the dark theme': {
    html: '<p class="planted">faint</p>',
    css: `@media (max-width: 400px) and (prefers-color-scheme: dark) { .planted { color: #333; background: #222 } }`,
    found: /dark, 360 px:\ncolor-contrast/,
  },
  'a faint text that only the widest screen shows, in the light theme': {
    html: '<p class="planted">faint</p>',
    css: `.planted { display: none; color: #ccc; background: #fff } @media (min-width: 1500px) and (prefers-color-scheme: light) { .planted { display: block } }`,
    found: /light, 1600 px:\ncolor-contrast/,
  },
  'a text that is smaller on the narrowest screen, where its contrast is for large text': {
    html: '<p class="planted">smaller</p>',
    css: `.planted { color: #808080; background: #fff; font-size: 30px } @media (max-width: 400px) { .planted { font-size: 14px } }`,
    found: /light, 360 px:\ncolor-contrast/,
  },
  'a large text whose ground changes on the widest screen, after it was judged on the others': {
    html: '<div class="planted"><p>large</p></div>',
    css: `.planted { color: #808080; background: #fff; font-size: 30px } @media (min-width: 1500px) { .planted { background: #999 } }`,
    found: /light, 1600 px:\ncolor-contrast/,
  },
  'a text that is half transparent on the widest screen': {
    html: '<div class="planted"><p>through</p></div>',
    css: `.planted { color: #000; background: #fff } @media (min-width: 1500px) { .planted p { opacity: 0.3 } }`,
    found: /light, 1600 px:\ncolor-contrast/,
  },
  'a box that slides behind a text on the widest screen': {
    html: '<div class="planted"><i></i><p>behind</p></div>',
    css: `.planted { position: relative; height: 40px; background: #fff } .planted p { position: relative; margin: 0; color: #000 }
      .planted i { position: absolute; inset: 0 } @media (min-width: 1500px) { .planted i { background: #222 } }`,
    found: /light, 1600 px:\ncolor-contrast/,
  },
  'a link that only its colour tells from its text, in the dark theme': {
    html: '<p class="planted">a text with <a href="/docs">a link</a> in it</p>',
    css: `.planted { color: #eee; background: #000 } .planted a { color: #ddd; text-decoration: underline }
      @media (prefers-color-scheme: dark) and (min-width: 1500px) { .planted a { text-decoration: none; border: 0 } }`,
    found: /dark, 1600 px:\nlink-in-text-block/,
  },
  'a field without a label that only the widest screen shows': {
    html: '<input class="planted">',
    css: `.planted { display: none } @media (min-width: 1500px) { .planted { display: block } }`,
    found: /light, 1600 px:\nlabel/,
  },
  'a label that the middle width hides': {
    html: '<label class="planted"><span>named</span><input></label>',
    css: `@media (min-width: 1000px) and (max-width: 1100px) { .planted span { display: none } }`,
    found: /light, 1024 px:\nlabel/,
  },
}

const pageWith = (html: string, css: string) =>
  `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width">
  <style>body { color: #000; background: #fff } @media (prefers-color-scheme: dark) { body { color: #fff; background: #000 } } ${css}</style>
  <main><h1>A page</h1>${html}</main></html>`

/** The service's own policy would let no fault in: the pages are answered here. */
async function openPage({ page, open }: WatchedPage, content: string): Promise<void> {
  await page.unrouteAll()
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: content }))
  await open('/planted')
}

for (const [name, { html, css, found }] of Object.entries(FAULTS)) {
  test(`the watcher finds ${name}, as often as it looks`, async () => {
    await using watched = await openWatchedPage(browser, app.url)
    await openPage(watched, pageWith('<p>sound</p>', ''))
    await watched.assertFitsEveryLook('without the fault')
    await openPage(watched, pageWith(html, css))
    for (const look of ['first', 'second'])
      await assert.rejects(watched.assertFitsEveryLook(`the ${look} look`), ({ message }: Error) => {
        assert.match(message, found)
        return true
      })
  })
}

/** Texts on grounds on grounds: solid, half transparent and pictures, above and beside each other, in several sizes. */
function randomTexts(count: number, seed: number): string {
  const random = seededRandom(seed)
  const next = (below: number) => Math.floor(random() * below)
  const oneOf = (...choices: readonly string[]) => choices[next(choices.length)] ?? ''
  const colour = () => `rgb(${next(256)} ${next(256)} ${next(256)} / ${oneOf('1', '1', '1', '0.5')})`
  const ground = () =>
    oneOf(
      '',
      '',
      `background: ${colour()};`,
      'background: linear-gradient(#000, #fff);',
      `opacity: 0.${1 + next(9)};`,
    )
  const place = () =>
    oneOf('', '', '', '', '', '', 'position: relative; top: -20px;', 'margin-top: -12px;', 'float: left;')
  return Array.from({ length: count }, (_, at) => {
    const text = `<p id="t${at}" style="margin: 0; color: ${colour()}; font-size: ${oneOf('14', '20', '30')}px; ${ground()} ${place()}">text ${at}</p>`
    return `<div style="${ground()} ${place()}"><div style="${ground()}">${text}</div></div>`
  }).join('')
}

test('the watcher faults the texts that axe faults by itself, and no others, whatever it has seen before', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  for (const seed of [1, 2, 3]) {
    await openPage(watched, pageWith(randomTexts(150, seed), ''))
    const told = await assertColours(page, 'texts').then(
      () => '',
      ({ message }: Error) => message,
    )
    const found = [...new Set([...told.matchAll(/id="(t\d+)"/g)].map(([, id]) => String(id)))].sort()
    const expected = await page.evaluate(
      `axe.run(document, { runOnly: ['color-contrast'] }).then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => /id="(t\\d+)"/.exec(html)[1])).sort())`,
    )
    assert(found.length > 10, `${found.length} faults are too few to tell`)
    assert.deepEqual(found, expected, `seed ${seed}`)
  }
})
