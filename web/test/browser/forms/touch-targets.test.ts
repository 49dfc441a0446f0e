import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'

const { sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

/** The heights of all visible buttons that look like links, and of the whole page. */
async function heights() {
  const buttons = page.locator('button.link-button:visible')
  await buttons.first().waitFor()
  const boxes = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  return { least: Math.min(...boxes), page: await page.evaluate(() => document.body.scrollHeight) }
}

test('on a phone a button that looks like a link is at least 32 px high, and moves nothing around it', async () => {
  for (const path of ['/allocate?amount=9000000000000000', '/']) {
    await watched.visit(path)
    await watched.resize(360)
    const shown = await heights()
    assert(shown.least >= 32, `${path}: ${shown.least} px`)
    await watched.assertFits(`link buttons of ${path}`)
    await page.locator('.link-button').evaluateAll((all) => {
      for (const one of all)
        if (one instanceof HTMLElement) one.style.cssText = 'padding-block:0;margin-block:0'
    })
    const without = await heights()
    assert(without.least < 24 && without.page === shown.page, JSON.stringify([path, shown, without]))
  }
})
