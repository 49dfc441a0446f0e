/**
 * node scripts/run.mjs web/test/every-page.ts FOLDER [words…]: takes screenshots of every page, or of those whose path
 * has a word.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../server/src/durations.ts'
import { ADMIN } from '../../server/test/support/builder-agent.ts'
import { signIn } from '../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { PAGES } from '../src/pages.ts'
import { openChromium } from './support/chromium.ts'
import { passMinute } from './support/service-and-browser.ts'
import { LOOKS, openWatchedPage } from './support/watched-page.ts'
import { openWorkingAgent } from './support/working-agent.ts'

const [folder = 'screenshots', ...words] = process.argv.slice(2)
const EMAIL = 'root@example.com'

await mkdir(folder, { recursive: true })
await using app = await openTestApp({
  env: { ...ADMIN, LIMIT_IP_RPM: '100000' },
})
const { agentId, approvalId } = await openWorkingAgent(app, EMAIL)
const { data: validators } = await app.client().validators()
const user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 100 * DAY_MS }
const browser = await openChromium()
try {
  const paths = PAGES.flatMap(({ path }) => pathsOf(path)).filter(
    (path) => words.length === 0 || words.some((word) => path.includes(word)),
  )
  for (const look of LOOKS) {
    await using watched = await openWatchedPage(browser, app.url, look)
    await watched.page.clock.setFixedTime(app.clock.now())
    await watched.signedInAs(user)
    for (const path of paths) {
      await passMinute(app)
      await watched.open(path)
      await watched.page.waitForLoadState('networkidle')
      if (path.endsWith('#edit'))
        await watched.page.getByRole('button', { name: 'Change the policy' }).click()
      const name = `${path.replaceAll(/[^a-z]+/gi, '-').slice(0, 40)}-${look.width}-${look.theme}.png`
      await watched.page.screenshot({ path: join(folder, name), fullPage: true })
      console.log(name)
    }
  }
} finally {
  await browser.close()
}

function pathsOf(template: string): readonly string[] {
  if (template === '/validators/{id}')
    return [`/validators/${validators.find(({ status }) => status === 'active')?.id}`]
  if (template === '/docs/{page}') return ['/docs/mandates']
  if (template === '/console/{id}') return [`/console/${agentId}`, `/console/${agentId}?policy#edit`]
  if (template.startsWith('/approve/')) return [`/approve/${agentId}/${approvalId}`]
  if (template === '/console')
    return ['/console', '/console?agents=approvals', '/console?agents=all', '/console?agents=actions']
  return [template]
}
