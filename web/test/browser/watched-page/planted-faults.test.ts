import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { EVERY_LOOK } from '../../support/watched-page.ts'

const { sharePage } = await openServiceAndBrowser()
const watched = await sharePage()

/** A fault that exists in some looks only, and the look in which the watcher must find it. */
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

/** Serves the page here, because the service's content security policy would block the fault. */
async function openPage(content: string): Promise<void> {
  const { page, open } = watched
  await page.unrouteAll()
  await page.route('**/planted', (route) => route.fulfill({ contentType: 'text/html', body: content }))
  await open('/planted')
}

for (const [name, { html, css, found }] of Object.entries(FAULTS)) {
  test(`the watcher finds ${name}, each time it looks`, async () => {
    await openPage(pageWith('<p>sound</p>', ''))
    await watched.assertFitsEveryLook('without the fault', EVERY_LOOK)
    await openPage(pageWith(html, css))
    for (const look of ['first', 'second'])
      await assert.rejects(
        watched.assertFitsEveryLook(`the ${look} look`, EVERY_LOOK),
        ({ message }: Error) => {
          assert.match(message, found)
          return true
        },
      )
  })
}
