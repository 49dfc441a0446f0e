import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { openChromium } from './chromium.ts'
import { type Look, openWatchedPage, type WatchedPage } from './watched-page.ts'

/** A browser sends more requests in a test than a person does. */
const HIGH_LIMITS = { LIMIT_IP_RPM: '100000' }

type ServiceAndBrowser = {
  readonly app: TestApp
  readonly browser: Browser
  /**
   * A page that several tests use in turn, each from a `visit` on: opening one costs as much as a short test. To be
   * called before the first test is declared, or within one: a file may end once all tests declared so far are done.
   */
  sharePage(look?: Look): Promise<WatchedPage>
}

/** A service and a browser for the tests of a file, closed after the last of them. */
export async function openServiceAndBrowser(
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceAndBrowser> {
  const open = new AsyncDisposableStack()
  after(() => open.disposeAsync())
  const app = open.use(await openTestApp({ env: { ...HIGH_LIMITS, ...env } }))
  const browser = await shareBrowser(open)
  const sharePage = async (look?: Look) => open.use(await openWatchedPage(browser, app.url, look))
  return { app, browser, sharePage }
}

let shared: Promise<Browser> | undefined
let users = 0

/** Files of one process use one browser, with contexts of their own; it is closed after the last of them. */
function shareBrowser(open: AsyncDisposableStack): Promise<Browser> {
  shared ??= openChromium()
  const browser = shared
  users += 1
  open.defer(async () => {
    users -= 1
    if (users > 0) return
    shared = undefined
    await (await browser).close()
  })
  return browser
}

/** Starts a new minute of request counting: the clock of a test stands still. */
export async function passMinute(app: TestApp): Promise<void> {
  app.clock.advance(60_000)
  await app.runJob('watch-network')
}
