import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EPOCH, NOW, STARTED_AT, sampleNetwork, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openAppOn, openChainApp, openSandboxApp } from '../../support/chain-app.ts'
import { holdingsOn, ME, TEN } from '../../support/holdings.ts'
import { refusesField } from '../refused.ts'

const DAY = 86_400_000
const stakeWith = (validatorId: string, amount = TEN) => ({ validatorId, amount })
const iso = (time: number) => new Date(time).toISOString()

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: a stake made before the next committee is selected is active in the next epoch`, async () => {
    await using app = await openChainApp(network)
    const built = await app.agent.buildStake(stakeWith(VALIDATORS.steady))
    assert.equal(built.action, 'stake')
    assert.equal(built.availableAtEpoch, EPOCH + 1)
    assert.equal(built.availableAt, iso(STARTED_AT + DAY))
    assert.equal(built.requiresEpochWait, true)
    assert.equal(built.nextCommitteeSelected, false)
    assert.equal(built.epoch, EPOCH)
    assert.equal(built.dataAgeSeconds, 0)
    assert.match(built.summary, /^Stakes 10 \w+ with Steady; it earns from epoch 41 on\.$/)
  })
}

for (const network of ['ika', 'walrus'] as const) {
  test(`200: ${network}: a stake made after the next committee is selected is active an epoch later`, async () => {
    const sample = sampleNetwork({ nextCommitteeSelected: true })
    const validators = sample.validators.map((one) =>
      one.id === VALIDATORS.lapsed ? { ...one, inNextCommittee: false } : one,
    )
    await using app = await openChainApp(network, [WORLDS[network]({ ...sample, validators })])
    const built = await app.agent.buildStake(stakeWith(VALIDATORS.steady))
    assert.equal(built.availableAtEpoch, EPOCH + 2)
    assert.equal(built.availableAt, iso(STARTED_AT + 2 * DAY))
    assert.equal(built.nextCommitteeSelected, true)
    // Lapsed is not in the next committee, so that rewards from then on must not be promised.
    assert.match((await app.agent.buildStake(stakeWith(VALIDATORS.lapsed))).summary, /while the validator is/)
  })
}

test('200: no rewards are promised with a validator that keeps them all', async () => {
  await using app = await openChainApp('ika')
  const { summary, warnings } = await app.agent.buildStake(stakeWith(VALIDATORS.greedy))
  assert.match(summary, /; it earns nothing, for the validator keeps all rewards\.$/)
  assert(warnings.some(({ rule }) => rule === 'keeps_everything'))
})

for (const network of ['ika', 'walrus'] as const)
  test(`200: ${network}: a commission that takes all for one epoch causes a warning, and makes the validator ineligible`, async () => {
    const sample = sampleNetwork()
    const pendingCommission = [
      { key: EPOCH + 1, value: 10_000n },
      { key: EPOCH + 2, value: 500n },
    ]
    const validators = sample.validators.map((one) =>
      one.id === VALIDATORS.steady ? { ...one, pendingCommission } : one,
    )
    await using app = await openChainApp(network, [WORLDS[network]({ ...sample, validators })])
    const { warnings } = await app.agent.buildStake(stakeWith(VALIDATORS.steady))
    assert.deepEqual(
      warnings.map(({ rule }) => rule),
      ['keeps_everything', 'commission_rises'],
    )
    const { data } = await app.client().validators()
    const steady = data.find(({ id }) => id === VALIDATORS.steady)
    assert(steady?.ineligible?.includes('commission_takes_all'), String(steady?.ineligible))
  })

test('200: a candidate takes stake, and no rewards are promised before it is in the committee', async () => {
  await using app = await openChainApp('ika')
  for (const id of [VALIDATORS.candidate, VALIDATORS.joining]) {
    const { summary } = await app.agent.buildStake(stakeWith(id))
    assert.match(
      summary,
      /it earns only while the validator is in the committee, from epoch 41 on at the earliest/,
    )
  }
})

/** `buildAt` builds a stake at a given time, alone and as a batch, and compares their ends and warnings. */
async function buildsAt(network: 'ika' | 'sui', nextCommitteeSelected = false) {
  const app = await openChainApp(network)
  const buildAt = async (now: number) => {
    const world = WORLDS[network](
      sampleNetwork({
        checkpoint: 5_000 + (now - NOW) / 250,
        checkpointAt: now - 400,
        nextCommitteeSelected,
      }),
    )
    for (const node of app.nodes) node.world = world
    app.clock.set(now)
    await app.runJob('watch-network')
    const stake = stakeWith(VALIDATORS.steady)
    const batch = await app.agent.buildBatch({ items: [{ action: 'stake', ...stake }] })
    const { expiresAt, warnings } = await app.agent.buildStake(stake)
    assert.equal(batch.expiresAt, expiresAt)
    assert.deepEqual(
      batch.warnings,
      warnings.map((warning) => ({ item: warning.rule === 'expires_soon' ? null : 0, ...warning })),
    )
    const soon = warnings.find(({ rule }) => rule === 'expires_soon')
    return [expiresAt, soon?.message]
  }
  return { app, buildAt, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('200: a transaction expires when the rules it depends on change, and after ten minutes at the latest', async () => {
  await using opened = await buildsAt('ika')
  const { app, buildAt } = opened
  const middle = STARTED_AT + DAY / 2
  const now = app.clock.now()
  assert.deepEqual(await buildAt(now), [iso(now + 600_000), undefined])
  assert.deepEqual(await buildAt(middle - 60_000), [iso(middle), undefined], 'a minute is enough to sign')
  assert.deepEqual(await buildAt(middle - 9_000), [
    iso(middle),
    `It expires at ${iso(middle)}, 9 s after it was built, when the next committee is selected. If that is too soon to sign and submit it, build it again after that: what waits for an epoch then waits for one more.`,
  ])
  assert.deepEqual(
    await buildAt(middle + 30_000),
    [iso(middle + 90_000), undefined],
    'the chain is late: a minute',
  )
})

for (const [network, isSelected] of [
  ['ika', true],
  ['sui', false],
] as const) {
  test(`200: ${network}: a build just before the end of an epoch warns of that, and says when to build it instead`, async () => {
    await using opened = await buildsAt(network, isSelected)
    const end = STARTED_AT + DAY
    assert.deepEqual(await opened.buildAt(end - 9_000), [
      iso(end),
      `It expires at ${iso(end)}, 9 s after it was built, when the epoch ends. If that is too soon to sign and submit it, build it again once epoch ${EPOCH + 1} has begun.`,
    ])
  })
}

test('200: the start of an overdue epoch is given as now, not as a time in the past', async () => {
  await using app = await openChainApp('sui')
  const late = STARTED_AT + DAY + 3_600_000
  for (const node of app.nodes) {
    node.world = WORLDS.sui(sampleNetwork({ checkpoint: 6_000, checkpointAt: late - 400 }))
  }
  app.clock.set(late)
  await app.runJob('watch-network')
  const built = await app.agent.buildStake(stakeWith(VALIDATORS.steady))
  assert.deepEqual([built.availableAtEpoch, built.availableAt], [EPOCH + 1, iso(late)])
})

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`400: ${network}: refusals name the field and the fix`, async () => {
    await using app = await openAppOn(network)
    const { validatorId } = await holdingsOn(network, app.agent)
    const stake = (id: string, amount?: string) => app.agent.buildStake(stakeWith(id, amount))
    const unknown = /is not the id of a validator; GET .* lists them/
    await refusesField(stake(ME), 'validatorId', unknown)
    await refusesField(stake('nobody'), 'validatorId', /must be a chain id/)
    await refusesField(stake(validatorId, '999999999'), 'amount', /at least 1000000000 \(minStakeAmount\)/)
    await refusesField(stake(validatorId, '0'), 'amount', /at least/)
    for (const amount of ['1.5', '-1', '1e9', ' 1', '18446744073709551616']) {
      await refusesField(stake(validatorId, amount), 'amount', /must be a string of digits/)
    }
    await refusesField(
      app.agent.buildStake({ ...stakeWith(validatorId), sender: '0xme' }),
      'sender',
      /must be a chain id/,
    )
    assert.equal((await stake(validatorId, '1000000000')).action, 'stake')
  })
}

test('400: a leaving or inactive validator takes no stake', async () => {
  const network = sampleNetwork()
  const validators = network.validators.map((validator) =>
    validator.id === VALIDATORS.lapsed
      ? { ...validator, phase: 'withdrawing' as const, lastEpoch: EPOCH + 1 }
      : validator,
  )
  for (const name of ['ika', 'walrus', 'sui'] as const) {
    await using app = await openChainApp(name, [WORLDS[name]({ ...network, validators })])
    const stake = (id: string) => app.agent.buildStake(stakeWith(id))
    await refusesField(stake(VALIDATORS.lapsed), 'validatorId', /is leaving.*choose another/)
    if (name === 'sui') continue
    await refusesField(stake(VALIDATORS.left), 'validatorId', /is inactive.*choose another/)
    await refusesField(stake(VALIDATORS.dropped), 'validatorId', /is inactive.*choose another/)
  }
})

test('400: a stake that the sandbox chain would refuse is refused when it is built', async () => {
  await using app = await openSandboxApp()
  const { data } = await app.agent.validators()
  const closed = data.filter(({ status }) => status === 'inactive' || status === 'leaving')
  assert.ok(closed.length > 0)
  for (const { id } of closed) {
    await refusesField(app.agent.buildStake(stakeWith(id)), 'validatorId', /choose another/)
  }
})
