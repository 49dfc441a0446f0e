import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** The accessible name of the focused element; reports an element without a focus outline. */
export const focused = async (page: Page): Promise<string> =>
  String(
    await page.evaluate(`(() => {
      const element = document.activeElement
      const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent
      const outline = getComputedStyle(element).outlineStyle
      return outline === 'none' ? 'NOT MARKED: ' + label : label.trim()
    })()`),
  )

/**
 * Presses Tab until something of that name has the focus; everything on the way has to be marked. After the last one
 * the browser's own controls have their turn, which leaves the focus on nothing.
 */
export async function tabTo(page: Page, name: RegExp, most = 90): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate('document.activeElement === document.body')) continue
    const at = await focused(page)
    passed.push(at.slice(0, 40))
    assert(!at.startsWith('NOT MARKED'), `${at}, after ${passed.join(' → ')}`)
    if (name.test(at)) return
  }
  assert.fail(`nothing called ${name} in ${passed.join(' → ')}`)
}

/** Goes to a control and types; what was there is replaced. */
export async function typeInto(page: Page, name: RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Goes to a button or link and presses Enter. */
export async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
