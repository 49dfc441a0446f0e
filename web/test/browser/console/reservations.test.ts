import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '../../../../server/src/durations.ts'
import { ME } from '../../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { press } from '../../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const FULL = { code: 'forbidden', message: /maxPerWindow/ }

const { app, browser } = await openServiceAndBrowser({ LIMIT_REGISTER_IP_HOUR: '100' })

/** An agent that may stake 20 tokens a day, and the page of its owner, whose clock is the service's. */
async function openOwner(email: string) {
  const { id, apiKey } = await registerAgent(app, { email })
  const token = await signIn(app, email)
  const key = app.client({ apiKey })
  const owner = app.client({ token })
  const { symbol } = await key.network()
  const { data } = await key.validators()
  const [validator] = data.filter(({ status }) => status === 'active')
  assert(validator)
  const stake = (tokens: number) =>
    key.buildStake({ validatorId: validator.id, amount: `${tokens}000000000`, sender: ME })
  const limit = (tokens: number, revision: number) =>
    owner.writePolicy({
      id,
      revision,
      rules: [
        { rule: 'actions', allow: ['stake', 'unstake'] },
        { rule: 'maxPerWindow', amount: `${tokens}000000000`, window: 'day', actions: ['stake'] },
      ],
    })
  const watched = await openWatchedPage(browser, app.url)
  await watched.page.clock.setFixedTime(app.clock.now())
  await watched.signedInAs({ name: email, token, expiresAt: app.clock.now() + DAY_MS })
  const { page } = watched
  const section = page.getByRole('region', { name: 'Reservations' })
  const [rows, room] = [section.getByRole('listitem'), section.locator('.stat')]
  return { id, key, owner, symbol, validator, stake, limit, watched, page, section, rows, room }
}

test('a built transaction counts against its window on the page, until its owner releases it', async () => {
  const opened = await openOwner('ann@example.com')
  const { id, key, owner, symbol, validator, stake, limit, page, section, rows, room } = opened
  await using watched = opened.watched
  await watched.open(`/console/${id}`)
  await page.getByText('None. The agent may build whatever the chain accepts.').waitFor()
  assert.equal(await section.count(), 0, 'without a policy nothing is counted')
  await limit(20, 0)
  await watched.open(`/console/${id}`)
  await section.getByText('Nothing counts now').waitFor()
  await section
    .getByText('Transactions that it built before the policy had these limits are not counted')
    .waitFor()
  await room.getByText(`0 ${symbol} of 20 ${symbol} are used`).waitFor()

  const first = await stake(5)
  app.clock.advance(MINUTE_MS)
  await app.runJob('watch-network')
  const executed = await stake(12)
  await key.sandboxExecute({ sender: ME, commands: executed.commands })
  await app.runJob('watch-network')
  await assert.rejects(stake(4), FULL)
  await page.clock.setFixedTime(app.clock.now())
  await watched.open(`/console/${id}`)
  assert.equal((await room.locator('.value').textContent())?.trim(), `3 ${symbol}`)
  await room.getByText(`17 ${symbol} of 20 ${symbol} are used, counting what it would stake.`).waitFor()
  const { data } = await owner.listReservations({ id })
  const builtAt = data.find(({ intentId }) => intentId === first.intentId)?.builtAt ?? ''
  const until = new Date(Date.parse(builtAt) + DAY_MS)
  const format = { dateStyle: 'medium', timeStyle: 'medium' } as const
  const end = await page.evaluate(
    `new Intl.DateTimeFormat('en-US', ${JSON.stringify(format)}).format(${until.getTime()})`,
  )
  await room.getByText(`5 ${symbol} of it counts until ${end}.`).waitFor()
  assert.equal(await rows.count(), 2)
  await rows.nth(0).getByText('carried out').waitFor()
  assert.equal(await rows.nth(0).getByRole('button').count(), 0, 'what the chain shows cannot be released')
  await rows.nth(1).getByText(`To stake 5 ${symbol} with ${validator.name}, built 1 min ago.`).waitFor()
  await watched.assertFitsEveryLook('reservations')

  await watched.resize(320)
  await press(page, /^Release stake 5 /)
  await section.getByText(`5 ${symbol} within 24 hours may be built again at once.`).waitFor()
  await section.getByText('Do it only if the transaction will not be signed').waitFor()
  await watched.assertFits('the question before a release')
  await assert.rejects(stake(4), FULL, 'a question is not an answer')
  await press(page, /^It is not signed: release it$/)
  await page.locator('h2#reservations:focus').waitFor()
  await room.getByText(`12 ${symbol} of 20 ${symbol} are used`).waitFor()
  assert.equal((await room.locator('.value').textContent())?.trim(), `8 ${symbol}`)
  assert.equal(await rows.count(), 1)
  await stake(4)
  watched.assertClean('a release')
})

test('an executed transaction is not released, and the page says why; a reservation that left its window is gone', async () => {
  const opened = await openOwner('bob@example.com')
  const { id, key, stake, limit, page, section, rows, symbol, room } = opened
  await using watched = opened.watched
  await limit(20, 0)
  const { commands } = await stake(20)
  await watched.open(`/console/${id}`)
  await rows
    .first()
    .getByRole('button', { name: /^Release/ })
    .click()
  await key.sandboxExecute({ sender: ME, commands })
  await section.getByRole('button', { name: 'It is not signed: release it' }).click()
  await section.getByText('the chain shows as executed').waitFor()
  await section.getByText('carried out', { exact: true }).waitFor()
  await assert.rejects(stake(1), FULL)
  assert(watched.takeMessages().every((message) => message.includes('400')))
  // Lowered below what is used, the limit has nothing left.
  await limit(15, 1)
  await watched.open(`/console/${id}`)
  assert.equal((await room.locator('.value').textContent())?.trim(), `0 ${symbol}`)
  await room.getByText(`20 ${symbol} of 15 ${symbol} are used`).waitFor()
  app.clock.advance(DAY_MS)
  await app.runJob('watch-network')
  await page.clock.setFixedTime(app.clock.now())
  await watched.signedInAs({
    name: 'bob',
    token: await signIn(app, 'bob@example.com'),
    expiresAt: app.clock.now() + DAY_MS,
  })
  await watched.open(`/console/${id}`)
  await section.getByText('Nothing counts now').waitFor()
  await stake(15)
})

test('a failed list of reservations shows its error, and a button requests it again', async () => {
  const opened = await openOwner('carol@example.com')
  const { id, stake, limit, page, section, rows } = opened
  await using watched = opened.watched
  await limit(20, 0)
  await stake(2)
  let isBroken = true
  await page.route('**/reservations*', (route) =>
    isBroken ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
  )
  await watched.open(`/console/${id}`)
  await section.getByRole('alert').waitFor()
  assert.equal(await rows.count(), 0)
  isBroken = false
  await section.getByRole('button', { name: 'Try again' }).click()
  await rows.first().waitFor()
  assert.equal(await section.getByRole('alert').count(), 0)
})
