/** node scripts/run.mjs web/test/screenshots.ts: takes the screenshots of the README again, into docs/images. */
import { fileURLToPath } from 'node:url'
import { DAY_MS } from '../../server/src/durations.ts'
import { registerAgent, signIn } from '../../server/test/support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { openChromium } from './support/chromium.ts'
import { type Look, openWatchedPage, type WatchedPage } from './support/watched-page.ts'

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const EMAIL = 'ann@example.com'

await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
const browser = await openChromium()
try {
  await shoot('overview', 'light', (watched) => watched.open('/'))
  await shoot('validators', 'dark', (watched) => watched.open('/validators'))
  await shoot('validator', 'light', openOne, 1330)
  await shoot('allocate', 'light', (watched) => watched.open('/allocate'))
  await shoot('sandbox', 'dark', playALife)
  await shoot('console', 'dark', openAgent)
} finally {
  await browser.close()
}

async function shoot(
  name: string,
  theme: Look['theme'],
  prepare: (watched: WatchedPage) => Promise<void>,
  height = 900,
): Promise<void> {
  await using watched = await openWatchedPage(browser, app.url, { theme, width: 1280 })
  const { page } = watched
  await page.setViewportSize({ width: 1280, height })
  // The page has the time of the simulated service.
  await page.clock.install({ time: app.clock.now() })
  await prepare(watched)
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await page.evaluate('scrollTo(0, 0)')
  // A screenshot needs no space for a scroll bar.
  await page.evaluate(`document.documentElement.style.scrollbarGutter = 'auto'`)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: `${FOLDER}${name}.png` })
}

async function openOne(watched: WatchedPage): Promise<void> {
  const { data } = await app.client().validators()
  const best = data.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))[2]
  await watched.open(`/validators/${best?.id}`)
}

/** Stake, and watch it earn. */
async function playALife(watched: WatchedPage): Promise<void> {
  const { page } = watched
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('pending', { exact: true }).waitFor()
  for (const epochs of ['1 epoch', '1 epoch', '1 epoch', '5 epochs', '5 epochs']) {
    const entries = await page.locator('.journal li').count()
    await page.getByRole('button', { name: `Advance ${epochs}`, exact: true }).click()
    await page.locator('.journal li').nth(entries).waitFor()
  }
  await page.getByText(/have earned/).waitFor()
}

/** An agent with several days of activity and a second key. */
async function openAgent(watched: WatchedPage): Promise<void> {
  const { id, apiKey } = await registerAgent(app, { email: EMAIL })
  await workForDays(app, apiKey)
  const token = await signIn(app, EMAIL)
  await app.client({ token }).createKey({ id, name: 'ci', allowedNetworks: ['203.0.113.0/24'] })
  const user = { name: EMAIL, token, expiresAt: app.clock.now() + DAY_MS }
  await watched.page.clock.setSystemTime(app.clock.now())
  await watched.signedInAs(user)
  await watched.open(`/console/${id}`)
}

async function workForDays(service: TestApp, apiKey: string): Promise<void> {
  const agent = service.client({ apiKey })
  for (let day = 0; day < 12; day++) {
    for (let each = 0; each <= (day * 5) % 4; each++) {
      await agent.scoredValidators()
      if (each > 0) await agent.allocate({ amount: '1000000000000' })
    }
    await agent.usage()
    service.clock.advance(DAY_MS)
    await service.runJob('watch-network')
  }
}
