import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** A layout shift that nobody notices; browsers call 0.1 good. */
const MAX_SHIFT = 0.02

/** A script that waits until the present content is painted. */
export const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** A script for a page: records each layout shift with the moved elements. */
export const WATCH_SHIFTS = `self.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    self.shifts.push([value, sources.map(({ node, previousRect, currentRect }) => (node?.className ?? node?.nodeName) + ' ' + node?.textContent?.slice(0, 30) + ' from ' + [previousRect.x, previousRect.y, previousRect.width, previousRect.height].map(Math.round) + ' to ' + [currentRect.x, currentRect.y, currentRect.width, currentRect.height].map(Math.round)).join('; ')])
}).observe({ type: 'layout-shift', buffered: true })`

/** Discards the shifts that were recorded so far. */
export const forgetShifts = (page: Page): Promise<unknown> => page.evaluate('self.shifts = []')

export async function assertStill(page: Page, what: string): Promise<void> {
  const shifts = toShifts(await page.evaluate('self.shifts'))
  const sum = shifts.reduce((total, [value]) => total + value, 0)
  assert(sum <= MAX_SHIFT, `${what} moved by ${sum}:\n${shifts.map((one) => one.join(' ')).join('\n')}`)
}

/** The cast holds because the script above records this shape. */
const toShifts = (value: unknown) => value as readonly (readonly [number, string])[]
