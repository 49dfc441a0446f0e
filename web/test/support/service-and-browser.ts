import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { openChromium } from '../support/chromium.ts'

/** One browser asks for more in a test than a person does. */
const PATIENT = { LIMIT_IP_RPM: '100000' }

type Opened = { readonly app: TestApp; readonly browser: Browser }

/** A service and a browser for the tests of a file: `ready` gets them before the first test, and may prepare more. */
export function openServiceAndBrowser(
  ready: (opened: Opened) => void | Promise<void>,
  env: Readonly<Record<string, string>> = {},
): void {
  const open = new AsyncDisposableStack()
  before(async () => {
    const app = open.use(await openTestApp({ env: { ...PATIENT, ...env } }))
    const browser = open.adopt(await openChromium(), (each) => each.close())
    await ready({ app, browser })
  })
  after(() => open.disposeAsync())
}

/** Lets the minute end in which a user's requests are counted: the clock of a test stands still. */
export async function passMinute(app: TestApp): Promise<void> {
  app.clock.advance(60_000)
  await app.runJob('watch-network')
}
