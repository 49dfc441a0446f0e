import type { Page } from 'playwright-core'
import { PAINTED } from './layout-shifts.ts'

/**
 * Waits until a script is true in the page. `page.waitForFunction` would use `eval` there, which the content security
 * policy refuses, unless the script is true at once.
 */
export async function waitUntil(page: Page, script: string): Promise<void> {
  while (!(await page.evaluate(script))) await page.evaluate(PAINTED)
}
