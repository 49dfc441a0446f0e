import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApprovalNeeded, type Client } from '@stakewright/client'
import { HOUR_MS } from '../../../../server/src/durations.ts'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { ME, TEN } from '../../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { newestMail } from '../../../../server/test/support/services/mail-files.ts'
import { press } from '../../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage, type WatchedPage } from '../../support/watched-page.ts'

const MANY_OWNERS = { ...ADMIN, LIMIT_REGISTER_IP_HOUR: '100' }
const RULES = [
  { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
  { rule: 'approvalAbove', amount: '5000000000' },
] as const

const { app, browser } = await openServiceAndBrowser(MANY_OWNERS)

/** An owner with an agent that may stake 5 without being asked, and wants to stake 10. */
async function openOwner(email: string) {
  const agent = await registerAgent(app, { email })
  const token = await signIn(app, email)
  const owner = app.client({ token })
  const user = { name: email, token, expiresAt: Date.now() + 24 * HOUR_MS }
  await owner.writePolicy({ id: agent.id, rules: [...RULES] })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const validator = data.find(({ status }) => status === 'active')
  assert(validator)
  const stake = (approvalId?: string) =>
    key.buildStake({ validatorId: validator.id, amount: TEN, sender: ME, ...(approvalId && { approvalId }) })
  return { agent, key, owner, user, validator, stake }
}

async function awaited(build: ReturnType<Client['buildStake']>): Promise<string> {
  const error: unknown = await build.catch((reason: unknown) => reason)
  assert(error instanceof ApprovalNeeded, String(error))
  return error.approval.approvalId
}

/** The address in the newest mail to the owner. */
async function mailedLink(email: string): Promise<string> {
  await app.runJob('deliver-mail')
  const { raw } = await newestMail(app.folder, email)
  const link = /http\S+\/approve\/[\w/-]+/.exec(raw.replaceAll('=\r\n', ''))?.[0]
  assert(link, raw)
  return link
}

const click = (watched: WatchedPage, name: string) =>
  watched.page.getByRole('button', { name, exact: true }).click()

test('the life of an approval: asked for, mailed, opened by the link, signed in, approved, built', async () => {
  const email = 'ann@example.com'
  const { agent, owner, stake, validator } = await openOwner(email)
  const { symbol } = await app.client().network()
  const approvalId = await awaited(stake())
  const { data } = await owner.readApproval({ id: agent.id, approvalId })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.clock.setFixedTime(app.clock.now())
  await watched.open(await mailedLink(email))
  await page.getByText('You come back to this page.').waitFor()
  await signInBy(watched, app, email)
  await page
    .getByRole('heading', { name: `yield-scout wants to stake 10 ${symbol} with ${validator.name}` })
    .waitFor()
  const main = page.locator('main')
  for (const text of [
    '10,000,000,000 smallest units',
    `More than 5 ${symbol} needs your approval`,
    'by revision 1 of the policy',
    'sandbox',
    'Nothing is built until you approve.',
    ME,
    validator.id,
    data.wishHash,
  ])
    await main.getByText(text).first().waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Console 1 approval waits' }).waitFor()
  await watched.assertAccessible('an approval that waits')
  await watched.resize(360)
  await page.getByRole('link', { name: '1 approval waits', exact: true }).waitFor()
  await watched.assertFits('an approval that waits, on a phone')
  await watched.resize(1280)

  await click(watched, 'Approve')
  // In full: an address with the same beginning and end is easily made.
  await page.getByText(`The wallet ${ME} still has to sign it.`).waitFor()
  await watched.assertAccessible('the question before an approval')
  await click(watched, 'Cancel')
  assert.equal(await awaited(stake(approvalId)), approvalId, 'cancelled is not approved')
  await click(watched, 'Approve')
  await click(watched, 'Approve it now')
  await page.getByText('approved', { exact: true }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Console', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Refuse after all' }).waitFor()
  const { intentId } = await stake(approvalId)
  assert.match(intentId, /./)
  await page.reload()
  await page.getByText('approved and built', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Refuse after all' }).count(), 0)
  await watched.open(`/console/${agent.id}`)
  await page.getByRole('region', { name: 'Approvals' }).getByText('approved and built').waitFor()
  watched.assertClean('an approval')
})

test('a waiting approval is listed in the console and refused there; the agent is told', async () => {
  const email = 'bob@example.com'
  const { stake } = await openOwner(email)
  const approvalId = await awaited(stake())
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await signInBy(watched, app, email)
  await page.getByRole('button', { name: 'Approvals 1 approval waits' }).click()
  await page.getByRole('heading', { name: /^yield-scout wants to stake 10 \w+ with / }).waitFor()
  await watched.assertAccessible('what waits')
  await page.getByRole('button', { name: /^Refuse what .yield-scout. asks: stake 10 \w+ with / }).click()
  await page.getByText('this stays refused').waitFor()
  await click(watched, 'Refuse it now')
  await page.getByText('Nothing waits for you.').waitFor()
  await page.getByRole('button', { name: 'Refused', exact: true }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: /yield-scout wanted to stake 10 \w+ with .* decided .* by bob/ })
    .waitFor()
  await watched.assertFitsEveryLook('what was refused')
  await page.reload()
  await page.getByRole('link', { name: 'Every detail' }).click()
  await page.getByRole('heading', { name: /^yield-scout wants to stake 10 / }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Built', exact: true }).click()
  await page.getByText('Nothing was built with an approval in the last months.').waitFor()
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /refused by the owner/ })
  watched.assertClean('refusing')
})

test('a link shows an admin the decided approvals of all owners', async () => {
  const { agent, owner, stake } = await openOwner('jo@example.com')
  const approvalId = await awaited(stake())
  await owner.decideApproval({ id: agent.id, approvalId, decision: 'refuse' })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console?agents=approvals&state=decided&whose=all')
  await signInBy(watched, app, 'root@example.com')
  await page
    .getByText(/decided .* by jo@example\.com/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Mine', exact: true }).click()
  await page.getByText('Nothing was decided or has expired in the last months.').waitFor()
  watched.assertClean('what was decided for everybody')
})

test('an approval is listed and confirmed with the exact amount, fits every look, and is decided by keyboard alone', async () => {
  const email = 'exact@example.com'
  const { agent, key, owner, user, validator } = await openOwner(email)
  const { symbol } = await key.network()
  const rules = [RULES[0], { rule: 'approvalAbove', amount: '1500000001' } as const]
  await owner.writePolicy({ id: agent.id, rules, revision: 1 })
  const build = { validatorId: validator.id, amount: '999999999999', sender: ME }
  const approvalId = await awaited(key.buildStake(build))
  const wish = `stake 999.999999999 ${symbol} with`
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  for (const path of ['/console?agents=approvals', `/approve/${agent.id}/${approvalId}`]) {
    await watched.visit(path)
    await page.getByRole('heading', { name: `yield-scout wants to ${wish} ${validator.name}` }).waitFor()
    await page.locator('main').getByText(`1.500000001 ${symbol}`).first().waitFor()
    await watched.assertFitsEveryLook(path)
    await page.getByRole('button', { name: /^Approve(?!d)/ }).click()
    await page.getByText(`yield-scout may ${wish}`).waitFor()
  }
  await watched.visit(`/console/${agent.id}`)
  await page.getByRole('region', { name: 'Approvals' }).getByText(wish).waitFor()

  await watched.open(`/approve/${agent.id}/${approvalId}`)
  await page.setViewportSize({ width: 360, height: 480 })
  await press(page, /^Approve$/)
  await press(page, /^Approve it now$/)
  await page.getByText('approved', { exact: true }).waitFor()
  await page.locator('h1:focus').waitFor()
  const [bar, title] = await Promise.all(
    ['.topbar', 'h1'].map((part) => page.locator(part).first().boundingBox()),
  )
  assert(bar && title && title.y >= bar.y + bar.height, 'the bar covers nothing of what has the focus')
  await key.buildStake({ ...build, approvalId })
  watched.assertClean('an exact amount')
})

test('a new approval appears within seconds on the open page, with buttons that name what they decide', async () => {
  const email = 'hugo@example.com'
  const { key, user, validator } = await openOwner(email)
  const { symbol } = await key.network()
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await page.clock.install({ time: Date.now() })
  await watched.open('/console?agents=approvals')
  await page.getByText('Nothing waits for you.').waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const tokens of [500, 600]) {
    const build = { validatorId: validator.id, amount: `${tokens}000000000`, sender: ME }
    await awaited(key.buildStake(build))
    await page.clock.runFor(5_000)
    for (const decision of ['Approve', 'Refuse'])
      await page
        .getByRole('button', {
          name: `${decision} what \u2068yield-scout\u2069 asks: stake ${tokens} ${symbol} with \u2068${validator.name}\u2069`,
        })
        .waitFor()
  }
  watched.assertClean('what waits, as it comes')
})

test('the page of an agent is refreshed as soon as the menu shows its new approval', async () => {
  const email = 'ida@example.com'
  const { agent, user, stake } = await openOwner(email)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await page.clock.install({ time: Date.now() })
  await watched.open(`/console/${agent.id}`)
  await page.getByRole('heading', { name: 'Last requests' }).waitFor()
  await page.clock.pauseAt(Date.now() + 1_000)
  await awaited(stake())
  await page.clock.runFor(31_000)
  await page.getByRole('region', { name: 'Approvals' }).getByText('waits for you').waitFor()
  await page
    .getByRole('table', { name: 'Last requests' })
    .getByRole('row', { name: /^build a stake/ })
    .first()
    .waitFor()
  watched.assertClean('what an agent asks for')
})

test('a decision after the expiry is refused, and the page shows the approval as expired', async () => {
  const email = 'carol@example.com'
  const { agent, stake } = await openOwner(email)
  const approvalId = await awaited(stake())
  app.clock.advance(23 * HOUR_MS)
  await app.runJob('watch-network')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/approve/${agent.id}/${approvalId}`)
  await signInBy(watched, app, email)
  await click(watched, 'Approve')
  app.clock.advance(HOUR_MS)
  await click(watched, 'Approve it now')
  await page.getByText('expired', { exact: true }).waitFor()
  await page.getByText('Nobody used it in time, so nothing was built.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Approve|Refuse/ }).count(), 0)
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('400')))
  await app.runJob('watch-network')
  await assert.rejects(stake(approvalId), { code: 'forbidden', message: /expired/ })
})

test('a user who is not the owner is told so, and can sign in as the owner on the same page', async () => {
  const email = 'dora@example.com'
  const { agent, stake } = await openOwner(email)
  const approvalId = await awaited(stake())
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/approve/${agent.id}/${approvalId}`)
  await signInBy(watched, app, 'eve@example.com')
  await page.getByText('No agent of eve@example.com has asked for this.').waitFor()
  assert(watched.takeMessages().every((message) => message.includes('404')))
  await click(watched, 'Sign in as somebody else')
  await signInBy(watched, app, email)
  await page.getByRole('heading', { name: /^yield-scout wants to stake/ }).waitFor()
})

test('the mailed link leads to the approval even if the agent was replaced', async () => {
  const email = 'gina@example.com'
  const { agent, stake } = await openOwner(email)
  const approvalId = await awaited(stake())
  const link = await mailedLink(email)
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await root.registerAgent({ agentName: 'kept', tier: 'pro', replaces: agent.id })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(new URL(link).pathname)
  await signInBy(watched, app, email)
  await page.getByText('Another agent has replaced the one that asked.').waitFor()
  assert(watched.takeMessages().every((message) => message.includes('404')))
  await page.getByRole('link', { name: 'See what it asks for' }).click()
  await page.getByRole('heading', { name: /^kept wants to stake/ }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/approve/${data.id}/${approvalId}`)
})
