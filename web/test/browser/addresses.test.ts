import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser(ADMIN)
const shared = await sharePage()

const userOf = async (email: string) => ({
  name: email,
  token: await signIn(app, email),
  expiresAt: Date.now() + 86_400_000,
})

/** Each query parameter that a page reads, with an unreadable value and the message of the page. */
const UNREAD = [
  ['/allocate', 'validators', '2.5', 'it takes 1 to 50'],
  ['/allocate', 'risk', 'much', 'it takes 0 to 1000'],
  ['/allocate', 'share', '1e-3', 'it takes 0.01 to 1'],
  ['/allocate', 'score', '101', 'it takes 0 to 100'],
  ['/allocate', 'commission', '5%', 'it takes 0 to 1'],
  ['/allocate', 'liquid', '1.5', 'it takes smallest units'],
  ['/allocate', 'within', '7', 'it takes 0 to 2 epochs'],
  ['/allocate', 'owner', 'me', 'it takes an address such as 0x12ab'],
  ['/allocate', 'exclude', 'Mossy', 'no validator has this id, so it leaves out nobody'],
  [
    '/validators',
    'show',
    'best',
    'it takes active, all, changing, outside, and those in the committee are shown',
  ],
  ['/validators', 'commission', '-3', 'it takes 0 to 100 percent, and any commission is shown'],
  [
    '/validators',
    'sort',
    'rank',
    'it takes name, score, apy, commission, uptime, stake, headroom, and the score sorts',
  ],
  ['/validators', 'order', 'sideways', 'it takes up, and the highest come first'],
  [
    '/score',
    'weights',
    '50-50',
    'it takes three numbers from 0 to 100 such as 50-30-20, and the published weights are used',
  ],
  ['/rebalance', 'held', '0x1', 'Copy the link again, whole, or write what you hold'],
  ['/docs', 'endpoint', 'nothing', 'these are all there are'],
  ['/console', 'agents', 'all', 'you can see mine, approvals here, and these are your own agents'],
] as const

test('every unreadable query parameter is named, with what is shown instead', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(await userOf('owner@example.com'))
  for (const path of new Set(UNREAD.map(([each]) => each))) {
    const parts = UNREAD.filter(([each]) => each === path)
    await watched.visit(`${path}?${new URLSearchParams(parts.map(([, name, text]) => [name, text]))}`)
    const notice = page.locator('.notice').first()
    await notice.waitFor()
    const said = (await notice.textContent()) ?? ''
    for (const [, name, text, instead] of parts) {
      assert(said.includes(`“${text}”`) && said.includes(instead), `${path}?${name}=${text}: ${said}`)
    }
    await watched.assertFits(`${path} with parts that cannot be read`)
  }
})

test('an unreadable amount in the URL is reported at its field, and no split is shown', async () => {
  const { page } = shared
  for (const text of ['10M', '1.5', '-5', '18446744073709551616', '']) {
    await shared.visit(`/allocate?amount=${text}&risk=0`)
    await page.getByText(`“${text}” in the address is no amount`).waitFor()
    await page.getByText('The split appears here once everything above can be read.').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'The split' }).count(), 0)
    assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0)
  }
  // Another control does not replace the unreadable amount.
  await shared.visit('/allocate?amount=10M')
  await page.getByLabel(/^At most/).press('Home')
  await page.waitForURL(/amount=10M&validators=1$/)
  await page.getByText('“10M” in the address is no amount').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill('777')
  await page.getByText('777 SBX over 1 validator').waitFor()
  await page.waitForURL(/amount=777000000000&validators=1$/)
  shared.assertClean('amounts that cannot be read')
})

/** Query parameters of /allocate that the page cannot apply. */
const UNDOABLE = [
  ...UNREAD.filter(([path]) => path === '/allocate').map(([, name, text]) => [name, text] as const),
  ['exclude', `0x${'e'.repeat(64)}`],
  ['groups', 'North:30:Nobody of this name'],
  ['amount', '1'],
] as const

test('with an unusable parameter no split is shown or requested; a button drops the parameter', async () => {
  const { page } = shared
  const split = page.getByRole('heading', { name: 'The split' })
  for (const [name, text] of UNDOABLE) {
    await shared.visit(`/allocate?${new URLSearchParams([[name, text]])}`)
    await page.getByText('The split appears here once everything above can be read.').waitFor()
    assert.equal(await split.count(), 0, name)
    assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0, name)
  }
  const { data } = await app.client().validators()
  const { id = '' } = data.find(({ status }) => status === 'active') ?? {}
  await shared.visit(`/allocate?exclude=Mossy,${id}&risk=much&share=0.5`)
  await page.locator('.notice').getByText('“Mossy”').waitFor()
  // Another control drops none of the unreadable parameters.
  await page.getByLabel(/^At most/).press('End')
  await page.waitForURL(/exclude=Mossy%2C0x.*risk=much/)
  assert.equal(await split.count(), 0)
  await page.getByRole('button', { name: 'Continue without it' }).click()
  await split.waitFor()
  assert.equal(
    new URL(page.url()).search,
    `?exclude=${id}&share=0.5&validators=20`,
    'what could be read stays',
  )
  shared.assertClean('choices that cannot be read')
})

test('unreadable groups are reported at their field, and repeated parameters are reported', async () => {
  const { page } = shared
  await shared.visit('/allocate?groups=North:30:Nobody%20of%20this%20name&risk=0&risk=100')
  await page.getByText('Line 1: there is no validator called “Nobody of this name”.').waitFor()
  await page.getByText('“risk” is in the address more than once: the first one counts.').waitFor()
  await page.getByText('Risk aversion 0', { exact: true }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'The split' }).count(), 0)
  // A readable value is used, also if the page itself does not offer it.
  await shared.visit('/validators?commission=7.5')
  assert.equal(await page.getByLabel('Highest commission').inputValue(), '7.5')
  assert.equal(await page.locator('.notice').count(), 0)
  shared.assertClean('groups and parts twice')
})

test('unreadable filters of an admin’s list of agents are reported', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  await watched.signedInAs(await userOf('root@example.com'))
  await watched.visit('/console?agents=all&state=asleep&visitors=perhaps')
  await watched.page.getByText('“asleep” in the address (state) cannot be read: it takes active, ').waitFor()
  await watched.page.getByText('“perhaps” in the address (visitors) cannot be read: it takes yes').waitFor()
  watched.assertClean('filters of agents')
})
