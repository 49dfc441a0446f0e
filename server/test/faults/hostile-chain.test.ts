import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainSnapshot, EpochRecord, StakingChain } from '#ports/chain/staking-chain.ts'
import { refusesFor } from '../api/refused.ts'
import { openTestChain as openSandbox, STARTED_AT } from '../sandbox/test-chain.ts'
import { openTestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'

/** A chain whose answers the test changes, seen through the watcher and the API. */

type Changes = {
  snapshot: (snapshot: ChainSnapshot) => ChainSnapshot | Promise<ChainSnapshot>
  records: (records: readonly EpochRecord[]) => readonly EpochRecord[]
}

async function openHostile() {
  const sandbox = await openSandbox()
  const change: Changes = { snapshot: (snapshot) => snapshot, records: (records) => records }
  const chain: StakingChain = {
    ...sandbox.chain,
    readSnapshot: async (deadline) => change.snapshot(await sandbox.chain.readSnapshot(deadline)),
    readEpochs: async (from, deadline) => change.records(await sandbox.chain.readEpochs(from, deadline)),
  }
  const app = await openTestApp({ chain, clock: testClock(STARTED_AT), env: { REFRESH_MS: '30000' } })
  const move = (ms: number) => {
    sandbox.clock.time += ms
    app.clock.advance(ms)
  }
  return {
    app,
    change,
    move,
    advance: () => sandbox.chain.advance(1),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

const withFirstValidator = (snapshot: ChainSnapshot, change: object): ChainSnapshot => ({
  ...snapshot,
  validators: snapshot.validators.map((validator, index) =>
    index === 0 ? { ...validator, ...change } : validator,
  ),
})

const LIES: Record<string, (snapshot: ChainSnapshot) => ChainSnapshot | Promise<ChainSnapshot>> = {
  'a negative stake': (s) => withFirstValidator(s, { stake: -1n, nextStake: -1n }),
  'a commission that is not a number': (s) => withFirstValidator(s, { commissionBps: Number.NaN }),
  'an id twice': (s) => withFirstValidator(s, { id: s.validators[1]?.id }),
  'a time that is not a number': (s) => ({ ...s, checkpointAt: Number.NaN }),
  'no validators': (s) => ({ ...s, validators: [] }),
  'another network': (s) => ({ ...s, network: 'ika' }),
  'an error': () => Promise.reject(new Error('out of order')),
}

for (const [name, lie] of Object.entries(LIES)) {
  test(`${name}: the last good data are served, with their true age, until the chain is right again`, async () => {
    await using hostile = await openHostile()
    const { app, change, move } = hostile
    const before = await app.client().validators()
    change.snapshot = lie
    move(7_000)
    await app.runJob('watch-network').catch((error) => assert.match(error.message, /out of order/))
    assert.deepEqual(await app.client().validators(), before)
    assert.equal((await app.client().epoch()).dataAgeSeconds, 7)
    change.snapshot = (snapshot) => snapshot
    await app.runJob('watch-network')
    assert.equal((await app.client().epoch()).dataAgeSeconds, 0)
  })
}

test('a snapshot whose epoch records are refused is not served', async () => {
  await using hostile = await openHostile()
  const { app, change, advance } = hostile
  const { epoch } = await app.client().epoch()
  await advance()
  change.records = (records) => records.map((record) => ({ ...record, rate: { tokens: 1n, shares: 0n } }))
  await app.runJob('watch-network')
  assert.equal((await app.client().epoch()).epoch, epoch)
  change.records = (records) => records
  await app.runJob('watch-network')
  assert.equal((await app.client().epoch()).epoch, epoch + 1)
})

test('503: a chain that lies from the start is never served', async () => {
  await using hostile = await openHostile()
  const { app, change } = hostile
  change.snapshot = (snapshot) => ({ ...snapshot, validators: [] })
  const chain: StakingChain = {
    ...(await openSandbox()).chain,
    readSnapshot: async () => change.snapshot(SANDBOX_SNAPSHOT),
  }
  await using other = await openTestApp({ chain, clock: testClock(STARTED_AT) })
  await refusesFor(other.client().validators(), 'store_not_ready', /No chain data have been read yet/)
  assert.ok((await app.client().validators()).data.length > 0)
})

const SANDBOX_SNAPSHOT = await (await openSandbox()).snapshot()
