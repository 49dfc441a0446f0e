/** node scripts/run.mjs web/test/every-page.ts FOLDER [words…]: every page, or those with the words, as pictures to look at. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ADMIN } from '../../server/test/support/builder-agent.ts'
import { ME, TEN } from '../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { PAGES } from '../src/pages.ts'
import { openChromium } from './support/chromium.ts'
import { passMinute } from './support/service-and-browser.ts'
import { LOOKS, openWatchedPage } from './support/watched-page.ts'

const [folder = 'screenshots', ...words] = process.argv.slice(2)
const EMAIL = 'root@example.com'
const DAY_MS = 86_400_000

await mkdir(folder, { recursive: true })
await using app = await openTestApp({
  env: { ...ADMIN, LIMIT_IP_RPM: '100000' },
})
const { agentId, approvalId } = await openAgent()
const { data: validators } = await app.client().validators()
const user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 100 * DAY_MS }
const browser = await openChromium()
try {
  const paths = PAGES.flatMap(({ path }) => pathsOf(path)).filter(
    (path) => words.length === 0 || words.some((word) => path.includes(word)),
  )
  for (const look of LOOKS.filter(({ width }) => width !== 1024)) {
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

/** An agent with a policy, that has worked for some days and waits for an approval. */
async function openAgent() {
  const { id, apiKey } = await registerAgent(app, { email: EMAIL })
  const agent = app.client({ apiKey })
  for (let day = 0; day < 6; day++) {
    for (let each = 0; each <= day % 3; each++) await agent.scoredValidators()
    await agent.usage()
    app.clock.advance(DAY_MS)
    await app.runJob('watch-network')
  }
  const owner = app.client({ token: await signIn(app, EMAIL) })
  const { data } = await agent.validators()
  const [first, second] = data.filter(({ status }) => status === 'active').map((one) => one.id)
  const rules = [
    { rule: 'actions', allow: ['stake', 'unstake'] } as const,
    { rule: 'validators', deny: [String(second)] } as const,
    { rule: 'maxPerTx', amount: '500000000000' } as const,
    { rule: 'maxPerWindow', amount: '800000000000', window: 'day' } as const,
    { rule: 'maxCommission', commission: 0.1 } as const,
    { rule: 'approvalAbove', amount: '5000000000' } as const,
  ]
  await owner.writePolicy({ id, rules })
  await agent.buildStake({ validatorId: String(first), amount: TEN, sender: ME }).catch(() => undefined)
  const { data: approvals } = await owner.listApprovals({ id })
  return { agentId: id, approvalId: approvals[0]?.approvalId ?? '' }
}
