import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import { ROUTES } from '@stakewright/contract/routes'
import type { Page } from 'playwright-core'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { A_WHILE_MS, openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const watched = await sharePage()
const { page } = watched

/** The shown plan and its input, once it is the plan for a position of `units`. */
async function readPlan(page: Page, units: string) {
  const call = page.getByLabel('the curl code', { exact: true }).filter({ hasText: `"${units}"` })
  await call.waitFor()
  // All but the plot, which is drawn once its width is measured.
  const parts = page.getByRole('region', { name: 'The plan' }).locator('.prose, .figure-number, li, td')
  return {
    plan: await parts.allTextContents(),
    text: await page.locator('textarea').inputValue(),
    call: await call.textContent(),
  }
}
/** Each step names its epoch, and the sums name theirs. */
async function assertEpochsNamed(page: Page): Promise<void> {
  const { epoch } = await app.client().network()
  const steps = await page.locator('.steps li').allTextContents()
  assert(steps.length > 1)
  for (const step of steps)
    assert.match(step, step.includes('Unstake') ? new RegExp(`now, in epoch ${epoch}\\b`) : /in epoch \d+/)
  const [, whole, level] =
    /Complete after .*, in epoch \d+; level after (\S+) epochs?, in epoch (\d+);/.exec(
      (await page.getByText('Complete after').textContent()) ?? '',
    ) ?? []
  assert.equal(Number(level), epoch + Number(whole), 'break-even is a whole number of epochs')
  const figure = page.getByRole('figure').filter({ hasText: 'Rewards in sum' })
  const caption = (await figure.locator('figcaption').textContent()) ?? ''
  const [, crossing] = /The lines cross after ([\d.]+) epochs/.exec(caption) ?? []
  assert(Math.ceil(Number(crossing ?? whole)) === Number(whole), caption)
  await figure.getByRole('button', { name: 'Show as table' }).click()
  await figure.getByRole('row', { name: new RegExp(`^${whole} `) }).waitFor()
  await figure.getByRole('button', { name: 'Show as plot' }).click()
}

const [ONE, OTHER] = ['25000500000000', '70000000000000'] as const

test('a plan is in the URL: reload, back and forward, and a copied link show the same', async () => {
  const { data } = await app.client().validators()
  const [first, second] = data.filter(({ status }) => status === 'active')
  const token = `0x${'ab'.repeat(32)}`
  await watched.visit('/rebalance')
  const field = page.getByLabel('Or write it: one position per line')
  const press = () => page.getByRole('button', { name: 'Plan', exact: true }).click()
  await field.fill(`${first?.name}, 25000.5, ${token}\n${second?.name}, 1000`)
  await press()
  const one = await readPlan(page, ONE)
  assert(one.call?.includes(token), one.call ?? '')
  // The service's sentence and the page's figure show the same percentage.
  const [from, to] = (await page.locator('.figure-number').textContent())?.split(' → ') ?? []
  await page.getByText(`Moving lifts the yield from ${from} to ${to}, and`).waitFor()
  await assertEpochsNamed(page)
  await page.reload()
  assert.deepEqual(await readPlan(page, ONE), one, 'after a reload')

  await field.fill(`${second?.name}, 70000`)
  await press()
  await page.waitForURL(/held=0x[0-9a-f]+-70000000000000$/)
  const other = await readPlan(page, OTHER)
  assert.notDeepEqual(other, one)
  await page.goBack()
  assert.deepEqual(await readPlan(page, ONE), one, 'after going back')
  const link = page.url()
  await page.goForward()
  assert.deepEqual(await readPlan(page, OTHER), other, 'after going forward')
  watched.assertClean('the plan in its tab')

  await using elsewhere = await openWatchedPage(browser, app.url)
  await elsewhere.open(link)
  assert.deepEqual(await readPlan(elsewhere.page, ONE), one, 'a link that was copied')
  elsewhere.assertClean('the plan by a link')
})

test('a plan is shown only while the form has its input: a change hides it, and undoing the change shows it again', async () => {
  const { data } = await app.client().validators()
  const { name = '' } = data.find(({ status }) => status === 'active') ?? {}
  await watched.visit('/rebalance')
  const field = page.getByLabel('Or write it: one position per line')
  const address = page.getByLabel('Address that owns the stake')
  const plan = page.getByRole('heading', { name: 'Where it is now' })
  const call = page.getByRole('heading', { name: 'The same call' })
  const gone = page.getByText('press Plan, or Load, to get its plan')
  await field.fill(`${name}, 25000`)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await plan.waitFor()
  for (const text of [`${name}, 2500`, 'nobody, 25000', '']) {
    await field.fill(text)
    await gone.waitFor()
    assert.equal((await plan.count()) + (await call.count()), 0, text)
    await field.fill(` ${name.toUpperCase()},  25,000`)
    await plan.waitFor()
    await call.waitFor()
  }
  await address.fill('0x1')
  await gone.waitFor()
  assert.equal(await plan.count(), 0)
  // A plan for the written positions does not require removing the address first.
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await plan.waitFor()
  assert.equal(await address.inputValue(), '')
  watched.assertClean('a plan for what is written')
})

test('a plan says how far holding is from moving, for a horizon that the user sets and the URL keeps', async () => {
  const { data: made } = await app.client().sandboxKey({ agentName: 'holder' })
  const { allocations } = await app
    .client({ apiKey: made.apiKey })
    .allocate({ amount: '25000000000000', maxValidators: 1 })
  const [best] = allocations
  await watched.visit('/rebalance')
  await page.getByLabel('Or write it: one position per line').fill(`${best?.name}, 25000`)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByRole('heading', { name: 'Hold', exact: true }).waitFor()
  await page.getByText(/It earns \d+\.\d{3}% a year .+ Weighed over 20 epochs\.$/).waitFor()
  await page.getByText('Moving does not pay for a stay of 3,650 epochs, either.').waitFor()
  await page.getByRole('option', { name: 'the usual 20 epochs' }).waitFor({ state: 'attached' })
  await page.getByLabel('A move must pay within').selectOption('365 epochs')
  await page.getByText(/(Weighed|weighed) over 365 epochs\.$/).waitFor()
  assert.match(page.url(), /horizon=365/)
  await page.getByLabel('the curl code', { exact: true }).getByText('"horizonEpochs":365').waitFor()
  await page.reload()
  await page.getByText(/(Weighed|weighed) over 365 epochs\.$/).waitFor()
  await watched.resize(320)
  await watched.assertFits('a plan with a horizon')
  await watched.visit(`${page.url().replace('horizon=365', 'horizon=0')}`)
  await page.getByText('it takes a number of epochs from 1 to 3650').waitFor()
  // A new plan does not keep what cannot be read.
  await page.getByLabel('Or write it: one position per line').fill(`${best?.name}, 25000`)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByRole('heading', { name: 'Hold', exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('horizon'), null)
})

test('if holding is best for a short stay, the break-even of the longest horizon is drawn', async () => {
  const client = app.client({ apiKey: (await app.client().sandboxKey({ agentName: 'stayer' })).data.apiKey })
  const { validators } = await client.scoredValidators()
  const positionsAt = (validatorId: string) => ({
    positions: [{ stakedTokenId: '0x1', validatorId, principal: '5000000000000' }],
  })
  const plans = await Promise.all(
    validators.slice(0, 25).map(async ({ validatorId: id, name }) => ({
      name,
      short: await client.planRebalance({ ...positionsAt(id), horizonEpochs: 5 }),
      long: await client.planRebalance({ ...positionsAt(id), horizonEpochs: 3_650 }),
    })),
  )
  const { name, long } =
    plans.find(({ short, long }) => short.summary.recommendation === 'hold' && long.steps.length > 0) ??
    assert.fail()
  await watched.visit('/rebalance?horizon=5')
  await page.getByLabel('Or write it: one position per line').fill(`${name}, 5000`)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByRole('heading', { name: 'Hold', exact: true }).waitFor()
  await page
    .getByText(
      new RegExp(
        `For a stay of 3,650 epochs moving is worth it: it is level after ${long.summary.breakEvenEpochs} epochs\\. After the 5 epochs of this plan it is [\\d.,]+ SBX behind\\.`,
      ),
    )
    .waitFor()
  await watched.assertFitsEveryLook('a plan to hold, with a longer one')
  await watched.resize(320)
  await watched.assertFits('a plan to hold on a phone')
})

test('moving stake that earns nothing is not said to be behind at first', async () => {
  const { data } = await app.client().validators()
  const idle = data.find(({ status, apy }) => status === 'inactive' && (apy ?? 0) === 0)
  assert(idle)
  await watched.visit('/rebalance')
  await page.getByLabel('Or write it: one position per line').fill(`${idle.name}, 5000`)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByText('Moving is never behind: what moves earns nothing where it is.').waitFor()
  assert.equal(await page.getByText('Moving is behind at first').count(), 0)
})

test('the maximum number of positions survives a reload', async () => {
  const { data } = await app.client().validators()
  const { id } = data.find(({ status }) => status === 'active') ?? { id: '' }
  const lines = Array.from(
    { length: LIMITS.rebalancePositions },
    (_, index) => `${id}, 1000.123456789, 0x${index.toString(16).padStart(64, 'f')}`,
  )
  await watched.visit('/rebalance')
  await page.getByLabel('Or write it: one position per line').fill(lines.join('\n'))
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  const planned = await readPlan(page, '1000123456789')
  await page.reload()
  assert.deepEqual(await readPlan(page, '1000123456789'), planned)
  assert.equal(planned.text.split('\n').length, LIMITS.rebalancePositions)
  watched.assertClean('many positions')
})

test('for an unreadable position in the URL the page names it, and plans nothing', async () => {
  const { data } = await app.client().validators()
  const { id } = data.find(({ status }) => status === 'active') ?? { id: '' }
  for (const [held, text] of [
    [`${id}-1000_${id}-1e9`, `Position 2 of the address cannot be read: “${id}-1e9”.`],
    [`${id}-99999999999999999999`, 'Position 1 of the address cannot be read'],
    [`${id}`, 'Position 1 of the address cannot be read'],
    [Array.from({ length: 51 }, () => '0x1-1').join('_'), 'The address has 51 positions; a plan takes 50.'],
  ] as const) {
    await watched.visit(`/rebalance?held=${held}`)
    await page.getByText(text).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0)
  }
  await watched.visit('/rebalance?owner=0x1&from=last')
  await page
    .getByText('“last” in the address (from) cannot be read: it takes the place of a position')
    .waitFor()
  watched.assertClean('positions that cannot be read')
})

test('a plan is renewed in the next epoch', async () => {
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'time' })).data
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.clock.install()
  // Routes switch off the browser's cache, which follows the real clock.
  await page.route('**/api/**', (route) => route.continue())
  await watched.open('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'Steps' }).waitFor()
  await app.client({ apiKey }).sandboxAdvance({ epochs: 1 })
  const { epoch } = await app.client().epoch()
  const answered = page.waitForResponse((response) => response.url().endsWith(ROUTES.network.path))
  await page.clock.fastForward(A_WHILE_MS)
  await answered
  await page.getByText(`in epoch ${epoch};`).first().waitFor()
  assert.equal(await page.getByText(`now, in epoch ${epoch - 1}`).count(), 0)
  watched.assertClean('a plan in the next epoch')
})
