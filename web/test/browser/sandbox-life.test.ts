import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract/routes'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
/** For tests that execute nothing. */
const built = await sharePage()

/** The numbers in the table of rewards, row by row. */
const REWARDS = `[...document.querySelectorAll('[aria-label="Rewards"] tbody tr')]
  .map((row) => [...row.cells].map((cell) => Number.parseFloat(cell.textContent)))`

test('the life of a stake by clicks: build, read, execute, earn, unstake, withdraw', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  const isNext = (step: string) => page.locator('.life [aria-current="step"]', { hasText: step }).waitFor()

  await isNext('Build')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText('Take 5,000 SBX out of your coins.').waitFor()
  await isNext('Read and execute')
  await page.getByText(/^Stake it with /).waitFor()
  assert.equal(await page.getByText('Nothing is staked.').count(), 0)
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('pending', { exact: true }).waitFor()
  await isNext('Let time pass')
  await page.getByText(/^earns from epoch \d+$/).waitFor()
  const pressed = page.locator('.tokens .button[data-kind="primary"]')
  assert.equal(await pressed.count(), 0, 'taking it back at once is not what comes next')

  for (const _ of [1, 2]) await advance('Advance 1 epoch')
  await page.getByText('active', { exact: true }).waitFor()
  // The wallet lasts as long as the tab: a reload in the middle loses nothing.
  const wallet = page.getByRole('region', { name: 'Your play wallet' }).locator('.id')
  const address = await wallet.getAttribute('title')
  await page.reload()
  await page.getByText('active', { exact: true }).waitFor()
  assert.equal(await wallet.getAttribute('title'), address)
  await page.locator('.journal li').nth(2).waitFor()
  await advance('Advance 5 epochs')
  await page.getByText(/have earned 0\.\d+ SBX on top/).waitFor()
  // Five epochs at once: each of them is a row, and each has earned more than the one before.
  const rewards = page.getByRole('region', { name: 'Rewards', exact: true })
  await rewards.getByRole('button', { name: 'Show as table' }).click()
  await rewards.locator('tbody tr').first().waitFor()
  const rows: unknown = await page.evaluate(REWARDS)
  assert(Array.isArray(rows))
  const { epoch: present } = await app.client().epoch()
  assert.deepEqual(
    rows.map(([epoch]) => epoch),
    Array.from({ length: 8 }, (_, ago) => present - ago),
  )
  assert(
    rows.slice(1, 6).every(([, , earned], at) => earned < rows[at][2]),
    JSON.stringify(rows),
  )
  await rewards.getByRole('button', { name: 'Show as plot' }).click()

  await isNext('Ask for it back')
  await page.getByRole('button', { name: 'Unstake' }).click()
  await page.getByText(/^Ask for the staked token 0x.+ back/).waitFor()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText(/^wait for epoch/).waitFor()
  await page.getByText('Complete epochs until it can be withdrawn.').waitFor()
  for (const _ of [1, 2]) await advance('Advance 1 epoch')

  await isNext('Withdraw')
  assert.equal(await pressed.count(), 1)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText(/^Pay out the staked token .+: principal and rewards, as a coin\.$/).waitFor()
  await page.getByRole('button', { name: 'Execute' }).click()
  // The rewards are far below a thousandth of the stake, and are shown nevertheless.
  const journal = page.locator('.journal li').first()
  await journal.getByText(/^5,000\.\d+ SBX were paid out, principal and rewards/).waitFor()
  const [paid = ''] = /5,000\.\d+ SBX/.exec((await journal.textContent()) ?? '') ?? []
  await page.getByText(`paid out so far: ${paid}`).waitFor()
  await page.getByText(`nothing is staked; ${paid} were paid out so far`).waitFor()
  await page.getByText('Nothing is staked.').waitFor()
  await page.getByText('A whole life: staked, earned, paid out.').waitFor()
  watched.assertClean('the sandbox')

  async function advance(name: string): Promise<void> {
    const entries = await page.locator('.journal li').count()
    await page.getByRole('button', { name }).click()
    await page.locator('.journal li').nth(entries).waitFor()
  }
})

test('a split of the allocation lab is staked in the sandbox: each part as it was shown, in one transaction', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const answered = page.waitForResponse((response) => response.url().endsWith(ROUTES.allocate.path))
  await watched.open('/allocate')
  const { allocations }: Reply<'allocate'> = await (await answered).json()
  await page.getByRole('link', { name: 'Try it in the sandbox' }).click()
  const offer = page.getByRole('region', { name: 'Your split' })
  await offer.waitFor()
  await watched.settle()
  await watched.assertFitsEveryLook('a split in the sandbox')
  const offered = await offer.locator('li').allTextContents()
  assert.deepEqual(
    new URL(page.url()).searchParams.get('split'),
    allocations.map(({ validatorId, amount }) => `${validatorId}-${amount}`).join('_'),
  )

  await offer.getByRole('button', { name: 'Build the transaction of this split' }).click()
  await page.getByRole('heading', { name: 'Read before you sign' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.equal(await page.getByText(/^Stake it with /).count(), offered.length)
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText(/SBX were staked with \d validators, active from epoch/).waitFor()
  await page
    .locator('.tokens li')
    .nth(offered.length - 1)
    .waitFor()
  assert.equal(await offer.count(), 0)
  watched.assertClean('a split in the sandbox')
})

test('a split in the address that cannot be read is named, and nothing is offered', async () => {
  await built.visit('/sandbox?split=0x12-5_nothing')
  await built.page.getByText('“0x12-5_nothing” in the address (split) cannot be read').waitFor()
  assert.equal(await built.page.getByRole('region', { name: 'Your split' }).count(), 0)
})

test('after a lost answer the outcome is shown as unknown, and a transaction is executed only once', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  let lost: 'answer' | 'request' | undefined = 'answer'
  let sent = 0
  await page.route('**/api/v1/sandbox/execute', async (route) => {
    sent += 1
    if (lost === undefined) return route.continue()
    if (lost === 'answer') await route.fetch()
    return route.abort('connectionreset')
  })
  const tokens = page.locator('.tokens li')
  const first = page.locator('.journal li').first()
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  // The page learns of the execution from the chain, because the answer was lost.
  await first.getByText('The answer was lost, and the chain shows that it was executed.').waitFor()
  assert.deepEqual([await tokens.count(), sent], [1, 1])
  assert.equal(await page.getByRole('alert').count(), 0)

  lost = 'request'
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('not known whether executed').waitFor()
  await page.getByText('whether it was executed is not known').waitFor()
  assert.equal(await page.getByText('not executed yet').count(), 0)
  await watched.assertAccessible('a transaction without an answer')
  // The outcome is still unknown after a reload.
  await page.reload()
  await page.getByText('not known whether executed').waitFor()
  lost = undefined
  await page.getByRole('button', { name: 'Execute again' }).click()
  await first.getByText(/^5,000 SBX were staked with /).waitFor()
  await tokens.nth(1).waitFor()
  assert.deepEqual([await tokens.count(), sent], [2, 3])
  assert(watched.takeMessages().every((message) => message.includes('ERR_CONNECTION_RESET')))
})

test('stake that is withdrawn before it is active is paid back, and no rewards are mentioned', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('pending', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('the stake is not active yet and has earned nothing').waitFor()
  await page.getByText(/^Pay out the staked token .+: its principal, as a coin\.$/).waitFor()
  assert.equal(await page.getByText('principal and rewards').count(), 0)
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.locator('.journal').getByText('5,000 SBX were paid back; they have earned nothing.').waitFor()
  await page.getByText('The coins are back before they have earned anything.').waitFor()
  assert.equal(await page.getByText('principal and rewards').count(), 0)
  watched.assertClean('stake that is paid back')
})

test('the page names the epoch of activation by the execution, not by the build', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  await page.getByRole('button', { name: 'Advance 5 epochs' }).click()
  await page.getByText('It has expired: no chain executes it after epoch').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Execute' }).count(), 0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  await page.getByRole('button', { name: 'Advance 1 epoch' }).click()
  await page.getByText('Time has moved on since it was built').waitFor()
  // After mid-epoch the next committee is selected: new stake waits for the one after it.
  const { epoch, durationMs } = await app.client().epoch()
  app.clock.advance(0.75 * durationMs)
  await app.runJob('watch-network')
  await page.getByRole('button', { name: 'Execute' }).click()
  const first = page.locator('.journal li').first()
  await first
    .getByText(new RegExp(`^5,000 SBX were staked with .+, active from epoch ${epoch + 2} on`))
    .waitFor()
  await page.getByText('pending', { exact: true }).waitFor()
  await page.getByText(`The stake becomes active in epoch ${epoch + 2}.`).waitFor()
  await page.getByRole('button', { name: 'Advance 1 epoch' }).click()
  await first.getByText('Time moved on by 1 epoch.').waitFor()
  await page.getByText('pending', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Advance 1 epoch' }).click()
  await page.getByText('The stake is active.').waitFor()
  await page.getByRole('button', { name: 'Unstake' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  const wait = page.getByText(/^wait for epoch \d+$/)
  await wait.waitFor()
  const [free = ''] = /epoch \d+/.exec((await wait.textContent()) ?? '') ?? []
  await first.getByText(`can be withdrawn from ${free} on`).waitFor()
  watched.assertClean('epochs in the sandbox')
})

test('an amount with an error builds nothing, neither by a click nor by Enter', async () => {
  const { page } = built
  await built.visit('/sandbox')
  const amount = page.getByRole('textbox', { name: 'Stake' })
  let builds = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/tx/stake')) builds += 1
  })
  for (const text of ['0.1', 'abc', '99999999999', '2,5', '']) {
    await amount.fill(text)
    await page.locator('.field .problem').waitFor()
    await page.getByRole('button', { name: 'Build the transaction' }).click()
    await amount.press('Enter')
    assert.equal(await amount.inputValue(), text)
  }
  await amount.fill('2.5')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText('Take 2.5 SBX out of your coins.').waitFor()
  assert.equal(builds, 1, 'only the amount without an error was built')
  built.assertClean('amounts in the sandbox')
})

test('a built transaction survives a reload, and says if time has moved since', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  await page.getByText('for everybody who plays on this service').waitFor()
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  const draft = page.getByRole('region', { name: 'Read before you sign' })
  await draft.waitFor()
  const text = await draft.textContent()
  await page.reload()
  await draft.waitFor()
  assert.equal(await draft.textContent(), text)
  // Another user advances the epoch.
  const { data } = await app.client().sandboxKey({ agentName: 'another' })
  await app.client({ apiKey: data.apiKey }).sandboxAdvance({ epochs: 1 })
  await page.reload()
  await draft.getByText('Time has moved on since it was built').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Staked tokens' }).waitFor()
  assert.equal(await draft.count(), 0)
  watched.assertClean('a draft over a reload')
})

test('a transaction built before the next committee is selected says when its epoch no longer holds', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { startTimestampMs, durationMs } = await app.client().epoch()
  app.clock.advance(startTimestampMs + durationMs + 1_000 - app.clock.now())
  await app.runJob('watch-network')
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText('The epoch holds if it is executed before the next committee is selected').waitFor()
  app.clock.advance(durationMs / 2)
  await app.runJob('watch-network')
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('The next committee was selected since it was built').waitFor()
  watched.assertClean('a draft that has become old')
})

test('a transaction that the chain would refuse says why, in grouped coins, and Execute is not the main button', async () => {
  const { page } = built
  await built.visit('/sandbox')
  await page.getByRole('textbox', { name: 'Stake' }).fill('200000000')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  const draft = page.getByRole('region', { name: 'Read before you sign' })
  await draft
    .getByText(/^The chain would refuse it now: .+ may borrow \d{1,3}(,\d{3})+(\.\d+)? SBX more\. Unstake/)
    .waitFor()
  const execute = draft.getByRole('button', { name: 'Execute' })
  assert.notEqual(await execute.getAttribute('data-kind'), 'primary')
  await built.assertAccessible('a transaction that would fail')
  await execute.click()
  await page
    .getByRole('alert')
    .getByText(/may borrow [\d,]+(\.\d+)? SBX more\. Unstake and [^(]+$/)
    .waitFor()
  await draft.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('textbox', { name: 'Stake' }).fill('5')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  assert.equal(await execute.getAttribute('data-kind'), 'primary')
  assert(built.takeMessages().every((message) => /status of 403/.test(message)))
})

/** Records texts of drawings that begin left of the drawing. */
const WATCH_CUT = `self.cut = []
const draw = CanvasRenderingContext2D.prototype.fillText
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
  const left = this.textAlign === 'right' || this.textAlign === 'end' ? x - this.measureText(text).width : x
  if (this.getTransform().transformPoint({ x: left, y }).x < 0) self.cut.push(text)
  return draw.call(this, text, x, y, ...more)
}`

test('the rewards are plotted once there are some, with axis labels that are not cut off', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.addInitScript(WATCH_CUT)
  await watched.open('/sandbox')
  await page.getByRole('textbox', { name: 'Stake' }).fill('1')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('pending', { exact: true }).waitFor()
  const entries = page.locator('.journal li')
  const plot = page.getByRole('region', { name: 'Rewards', exact: true }).locator('canvas')
  await page.getByRole('button', { name: 'Advance 1 epoch' }).click()
  await entries.nth(1).waitFor()
  await page.getByText('They appear here, epoch by epoch').waitFor()
  assert.equal(await plot.count(), 0, 'nothing was earned yet')
  await page.getByRole('button', { name: 'Advance 5 epochs' }).click()
  await entries.nth(2).waitFor()
  await plot.waitFor()
  assert.deepEqual(await page.evaluate('self.cut'), [])
  watched.assertClean('small rewards')
})
