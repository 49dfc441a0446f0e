import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { openChromium } from '../support/chromium.ts'

/** One browser asks for more in a test than a person does. */
const PATIENT = { LIMIT_IP_RPM: '100000' }

/** A service and a browser for the tests of a file, closed after the last of them. */
export async function openServiceAndBrowser(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly app: TestApp; readonly browser: Browser }> {
  const open = new AsyncDisposableStack()
  after(() => open.disposeAsync())
  const app = open.use(await openTestApp({ env: { ...PATIENT, ...env } }))
  const browser = open.adopt(await openChromium(), (each) => each.close())
  return { app, browser }
}

/** Lets the minute end in which a user's requests are counted: the clock of a test stands still. */
export async function passMinute(app: TestApp): Promise<void> {
  app.clock.advance(60_000)
  await app.runJob('watch-network')
}
