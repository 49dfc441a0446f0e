import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { ME, TEN } from '../../../server/test/support/holdings.ts'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
/** The items that a page reads per step. */
const AT_ONCE = 500
const MUCH = { rpm: 100_000, rpd: 1_000_000 }

const { app, browser } = await openServiceAndBrowser({
  ...ADMIN,
  LIMIT_REGISTER_IP_HOUR: '100000',
  LIMIT_REGISTER_IP_DAY: '100000',
})

async function admin() {
  const email = 'root@example.com'
  const token = await signIn(app, email)
  return { root: app.client({ token }), user: { name: email, token, expiresAt: app.clock.now() + DAY_MS } }
}

/** Lets an hour pass, so that the address may make keys again; refreshes the chain data, which would be too old. */
async function passHour(): Promise<void> {
  app.clock.advance(HOUR_MS)
  await app.runJob('watch-network')
}

/** A page with the time of the service, so that both count the same days. */
async function openToday() {
  const watched = await openWatchedPage(browser, app.url)
  await watched.page.clock.setFixedTime(app.clock.now())
  return watched
}

test('agents, registrations and actions beyond the newest 500 are reported as left out, and a button reads them', async () => {
  for (let made = 0; made < AT_ONCE + 3; made += 1) {
    if (made % LIMITS.sandboxKeysPerIpHour === 0) app.clock.advance(HOUR_MS)
    await app.client().sandboxKey({ agentName: `agent ${made}` })
  }
  await passHour()
  const { user } = await admin()
  await using watched = await openToday()
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open('/console?agents=all')
  await page.getByText('500 agents and more', { exact: true }).waitFor()
  await page.getByText('500 agents registered in 30 days, counting the newest 500').waitFor()
  assert.equal(await page.getByRole('link', { name: 'agent 0', exact: true }).count(), 0)
  const left = page.getByText('Only the newest 500 agents were read.')
  assert.equal(await left.count(), 2, 'once at the plot, once at the table')
  await left.last().getByRole('button', { name: 'Read 500 more' }).click()
  await page.getByText('503 agents', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'agent 0', exact: true }).waitFor()
  await page.getByText('503 agents registered in 30 days;').waitFor()
  await page.locator('.list-end:focus').getByText('All 503 agents are here.').waitFor()

  // Each registration is an action, and so is the sign-in.
  await passMinute(app)
  await watched.open('/console?agents=actions')
  await page.getByText('Only the newest 500 actions were read.').waitFor()
  await page.getByRole('button', { name: 'Read 500 more' }).click()
  await page.getByText(/^All 50\d actions are here\.$/).waitFor()
  watched.assertClean('long lists of an admin')
})

test('a button reads requests of an agent beyond the newest 500, which are shown by the hundred', async () => {
  const { root, user } = await admin()
  const { data } = await root.registerAgent({ agentName: 'busy', tier: 'builder', rateLimits: MUCH })
  const agent = app.client({ apiKey: data.apiKey })
  app.clock.advance(1_000)
  for (let asked = 0; asked < AT_ONCE + 10; asked += 1) await agent.usage()
  await using watched = await openToday()
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${data.id}`)
  await page.getByText('500 requests in 30 days, counting what was read').waitFor()
  const requests = page.getByRole('region', { name: 'Last requests', exact: true })
  await requests.getByText('100 of 500 are shown.').waitFor()
  await requests.getByRole('button', { name: 'Show 100 more' }).click()
  await requests.getByText('200 of 500 are shown.').waitFor()
  // The registration is older than all these requests.
  const done = page.getByRole('region', { name: 'What was done to it' })
  await done.getByText('Nothing among these.').waitFor()
  await done.getByRole('button', { name: 'Read 500 more' }).click()
  await done.getByText('An admin registered it').waitFor()
  await page.getByText(/^510 requests in 30 days, most often/).waitFor()
  await requests.getByText('200 of 510 are shown.').waitFor()
  watched.assertClean('a long log')
})

test('every staked token of an address is read; a plan takes the largest 50 and says so', async () => {
  const { root } = await admin()
  const { data } = await root.registerAgent({ agentName: 'holder', tier: 'builder', rateLimits: MUCH })
  const agent = app.client({ apiKey: data.apiKey })
  const { data: validators } = await agent.validators()
  const validatorId = validators.find(({ status }) => status === 'active')?.id ?? ''
  const items = Array.from({ length: 20 }, () => ({ action: 'stake', validatorId, amount: TEN }) as const)
  for (let batch = 0; batch < 6; batch += 1) {
    const { commands } = await agent.buildBatch({ items, sender: ME })
    assert.equal((await agent.sandboxExecute({ sender: ME, commands })).status, 'done')
  }
  await using watched = await openToday()
  const { page } = watched
  const wallet = { address: ME, journal: [], earned: [], paidOut: '0' }
  await page.addInitScript(
    `sessionStorage.setItem('stakewright.wallet', ${JSON.stringify(JSON.stringify(wallet))})`,
  )
  await watched.open('/sandbox')
  await page.locator('.tokens li').nth(119).waitFor()
  await watched.open('/rebalance')
  await page.getByLabel('Address that owns the stake').fill(ME)
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByText('These are 1 to 50 of 120 by size').waitFor()
  // The loaded address is in the URL: a reload, or a link, shows the same.
  assert.equal(new URL(page.url()).searchParams.get('owner'), ME)
  await page.reload()
  await page.getByText('These are 1 to 50 of 120 by size, 41.7% of the stake.').waitFor()
  await page.getByRole('button', { name: 'Plan 51 to 100' }).click()
  await page.getByText('These are 51 to 100 of 120 by size').waitFor()
  await page.getByRole('button', { name: 'Plan 101 to 120' }).click()
  await page.getByText('These are 101 to 120 of 120 by size, 16.7% of the stake.').waitFor()
  assert.equal(((await page.locator('textarea').inputValue()) ?? '').split('\n').length, 20)
  await watched.assertAccessible('a plan of many positions')
  watched.assertClean('many positions')
})
