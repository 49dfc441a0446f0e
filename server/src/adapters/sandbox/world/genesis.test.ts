import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EPOCH_MS,
  memoryStates,
  openTestChain,
  STARTED_AT,
  soon,
  testClock,
} from '../../../../test/sandbox/test-chain.ts'
import { openSandboxChain } from '../sandbox-chain.ts'
import { foundWorld, HISTORY_EPOCHS } from './genesis.ts'
import { toText, toWorld } from './state-text.ts'

const YEAR_MS = 31_536_000_000
const BILLION = 1_000_000_000n

test('the same seed gives the same world, byte for byte; another seed another one', () => {
  const text = (seed: number) => toText(foundWorld(seed, EPOCH_MS, STARTED_AT))
  assert.equal(text(7), text(7))
  assert.notEqual(text(7), text(8))
  assert.notEqual(foundWorld(7, EPOCH_MS, STARTED_AT).chainId, foundWorld(8, EPOCH_MS, STARTED_AT).chainId)
})

test('a world that is written and read again is equal in every field', () => {
  const world = foundWorld(3, EPOCH_MS, STARTED_AT)
  assert.deepEqual(toWorld(toText(world)), world)
  assert.equal(toText(toWorld(toText(world))), toText(world))
})

test('every seed gives a world with validators of every kind and a full history', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const world = foundWorld(seed, EPOCH_MS, STARTED_AT)
    assert.deepEqual([world.epoch, world.history.length], [HISTORY_EPOCHS + 1, HISTORY_EPOCHS])
    assert.equal(world.epochStartedAt, STARTED_AT)
    assert.equal(world.validators.size, 60)
    assert.equal(new Set([...world.validators.values()].map(({ name }) => name)).size, 60)
    assert.ok(world.tokens.size > 300)
  }
})

test('the snapshot has validators of every status, and the stakes of each add up exactly', async () => {
  const { snapshot } = await openTestChain()
  const { validators, network, chainName, token, system } = await snapshot()
  assert.deepEqual([network, chainName, token.symbol, token.decimals], ['sandbox', 'sandbox', 'SBX', 9])
  assert.equal(system.minValidatorJoiningStake, 30_000_000n * 1_000_000_000n)
  const count = (status: string) => validators.filter((each) => each.status === status).length
  assert.deepEqual(['active', 'candidate', 'pending', 'leaving', 'inactive'].map(count), [51, 3, 2, 2, 2])
  for (const each of validators) {
    assert.match(each.id, /^0x[0-9a-f]{64}$/)
    assert.equal(each.nextStake, each.stake + each.pendingStake - each.withdrawingStake)
    assert.ok(each.withdrawingStake >= 0n && each.pendingStake >= 0n && each.unclaimedRewards >= 0n)
    assert.ok(each.commissionBps >= 0 && each.commissionBps <= 2_000)
    if (each.status === 'active') assert.ok(each.stake >= system.minValidatorJoiningStake)
  }
  const some = (has: (each: (typeof validators)[number]) => boolean) => assert.ok(validators.some(has))
  some((each) => each.nextCommissionBps > each.commissionBps)
  some((each) => (each.claimableStake ?? 0n) > 0n)
  some((each) => each.withdrawingStake > 0n)
  some((each) => each.pendingStake > 0n)
})

test('history: one record for each validator that has ever joined and each epoch since, evenly spaced up to now, with rates that never fall', async () => {
  const { chain, snapshot } = await openTestChain()
  const records = await chain.readEpochs(0, soon())
  const { validators, epoch } = await snapshot()
  assert.deepEqual(
    [...new Set(records.map((record) => record.endedAt))],
    Array.from(
      { length: HISTORY_EPOCHS },
      (_, index) => STARTED_AT - (HISTORY_EPOCHS - 1 - index) * EPOCH_MS,
    ),
  )
  for (const { id, status } of validators) {
    const own = records.filter((record) => record.validatorId === id)
    assert.equal(own.length === 0, status === 'candidate' || status === 'pending')
    assert.equal(own.length, own.length && epoch.number - (own[0]?.epoch ?? 0))
    for (const [index, { rate }] of own.entries()) {
      const last = own[index - 1]?.rate ?? rate
      assert.ok(rate.tokens * last.shares >= last.tokens * rate.shares)
    }
  }
  assert.ok(records.some((record) => record.performed === false))
  assert.deepEqual(await chain.readEpochs(epoch.number, soon()), [])
})

test('a member that missed an epoch earned nothing in it; one that performed did', async () => {
  const { chain } = await openTestChain()
  const records = await chain.readEpochs(0, soon())
  const before = new Map<string, (typeof records)[number]>()
  for (const record of records) {
    const last = before.get(record.validatorId)
    before.set(record.validatorId, record)
    if (last === undefined || record.performed === undefined) continue
    // Truncation alone lifts a rate by less than a billionth when stake comes or goes.
    const growth = (record.rate.tokens * last.rate.shares * BILLION) / (last.rate.tokens * record.rate.shares)
    assert.equal(growth > BILLION, record.performed, `${record.validatorId} in ${record.epoch}`)
  }
})

test('a middle-sized validator yields about 8% a year, with epochs of any length', async () => {
  for (const epochMs of [10_000, EPOCH_MS, 86_400_000]) {
    const chain = await openSandboxChain({ seed: 1, epochMs, clock: testClock(), states: memoryStates() })
    const { validators, rewards } = await chain.readSnapshot(soon())
    const members = validators.filter((each) => each.status === 'active' || each.status === 'leaving')
    const middle = members.toSorted((a, b) => Number(a.stake - b.stake))[members.length >> 1]
    assert.ok(middle !== undefined)
    const share = (Number(rewards.perEpoch) / members.length) * (1 - middle.commissionBps / 10_000)
    const apy = (1 + share / Number(middle.stake)) ** (YEAR_MS / epochMs) - 1
    assert.ok(apy > 0.06 && apy < 0.1, `${apy} with epochs of ${epochMs} ms`)
  }
})

test('the pages of delegators list each of them once, with all their tokens', async () => {
  const { chain, snapshot } = await openTestChain()
  const [validator] = (await snapshot()).validators
  const seen: { owner: string; staked: bigint; tokens: number }[] = []
  let after: string | undefined
  do {
    const page = await chain.delegatorsOf(validator?.id ?? '', { after, limit: 3 }, soon())
    assert.equal(page.kind, 'ready')
    assert.ok(page.delegators.length <= 3)
    seen.push(...page.delegators)
    after = page.next
  } while (after !== undefined)
  assert.ok(seen.length > 3)
  assert.equal(new Set(seen.map(({ owner }) => owner)).size, seen.length)
  for (const { owner, staked, tokens } of seen) {
    const owned = (await chain.stakedTokensOf(owner, soon())).filter(
      (each) => each.validatorId === validator?.id,
    )
    assert.deepEqual([owned.length, owned.reduce((sum, each) => sum + each.principal, 0n)], [tokens, staked])
  }
  assert.deepEqual(
    (await chain.delegatorsOf('0xnobody', { after: undefined, limit: 5 }, soon())).delegators,
    [],
  )
})
