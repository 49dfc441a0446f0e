import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxStates } from '#ports/chain/sandbox.ts'
import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'
import {
  EPOCH_MS,
  ME,
  memoryStates,
  openTestChain,
  STARTED_AT,
  soon,
  TOKEN,
  testClock,
  withStatus,
} from '../../../test/sandbox/test-chain.ts'
import { Fault } from '../../fault.ts'
import { openSandboxChain } from './sandbox-chain.ts'
import { REMEMBERED_EPOCHS } from './staking/epoch-change.ts'

test('a chain that is opened again continues from its stored state', async () => {
  const first = await openTestChain()
  const id = await first.stake(withStatus(await first.snapshot(), 'active').id)
  await first.chain.advance(3)
  const second = await openTestChain(first.states)
  assert.deepEqual(await second.snapshot(), await first.snapshot())
  assert.deepEqual(await second.token(id), await first.token(id))
  assert.deepEqual(await second.chain.readEpochs(0, soon()), await first.chain.readEpochs(0, soon()))
})

test('two instances on one store are one chain: each sees the changes of the other at once', async () => {
  const one = await openTestChain()
  const two = await openTestChain(one.states)
  const { id: validatorId } = withStatus(await one.snapshot(), 'active')
  const id = await one.stake(validatorId)
  assert.equal((await two.token(id)).principal, 5n * TOKEN)
  await two.chain.advance(1)
  const asked = await one.act({ kind: 'unstake', stakedTokenId: id, amount: undefined })
  assert.equal(asked.kind, 'done')
  assert.equal((await two.token(id)).withdrawEpoch, (await one.token(id)).withdrawEpoch)
  assert.deepEqual(await two.snapshot(), await one.snapshot())
})

test('concurrent stakes of two instances are all kept, with different ids', async () => {
  const one = await openTestChain()
  const two = await openTestChain(one.states)
  const { id: validatorId } = withStatus(await one.snapshot(), 'active')
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).stake(validatorId)),
  )
  assert.equal(new Set(ids).size, 20)
  assert.equal((await one.chain.stakedTokensOf(ME, soon())).length, 20)
  assert.deepEqual(await two.snapshot(), await one.snapshot())
})

test('a write that loses the race is retried on the newer state, and answered only after it is stored', async () => {
  const base = await openTestChain()
  let refusals = 0
  const stubborn: SandboxStates = {
    ...base.states,
    replace: async (version, state) => {
      refusals += 1
      return refusals % 3 === 0 ? base.states.replace(version, state) : false
    },
  }
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock: testClock(), states: stubborn })
  const { id: validatorId } = withStatus(await chain.readSnapshot(soon()), 'active')
  const built = chain.commandsFor(await base.snapshot(), { kind: 'stake', validatorId, amount: 3n * TOKEN })
  const result = await chain.execute(ME, built)
  assert.equal(refusals, 3)
  assert.ok(result.kind === 'done' && base.states.text().includes(result.created[0]?.id ?? 'none'))
  assert.equal((await base.chain.stakedTokensOf(ME, soon())).length, 1)
})

test('a store that never accepts a write: the call is refused after a bounded number of retries', async () => {
  const base = await openTestChain()
  const states: SandboxStates = { ...base.states, replace: async () => false }
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock: testClock(), states })
  await assert.rejects(chain.advance(1), { name: 'Fault', code: 'store_not_ready' })
  assert.equal((await chain.readSnapshot(soon())).epoch.number, 91)
})

test('concurrent reads share one version check of the store, and still see every change made before them', async () => {
  const base = await openTestChain()
  let looks = 0
  let loads = 0
  const states: SandboxStates = {
    ...base.states,
    version: () => {
      looks += 1
      return base.states.version()
    },
    load: () => {
      loads += 1
      return base.states.load()
    },
  }
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock: testClock(), states })
  looks = 0
  loads = 0
  const advanced = chain.advance(1)
  const seen = await Promise.all(Array.from({ length: 50 }, () => chain.readSnapshot(soon())))
  assert.deepEqual([...new Set(seen.map(({ epoch }) => epoch.number))], [await advanced])
  assert.deepEqual({ looks, loads }, { looks: 2, loads: 0 }, 'no other instance has written')
})

test('a store that fails once fails one call, and the next one works', async () => {
  const base = await openTestChain()
  let isDown = false
  const states: SandboxStates = {
    ...base.states,
    version: async () =>
      isDown ? Promise.reject(new Fault('store_not_ready', 'down')) : base.states.version(),
  }
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock: testClock(), states })
  isDown = true
  await assert.rejects(chain.readSnapshot(soon()), { code: 'store_not_ready' })
  isDown = false
  assert.equal((await chain.readSnapshot(soon())).epoch.number, 91)
})

test('concurrent first starts on one store found only one chain', async () => {
  const states = memoryStates()
  const opened = await Promise.all(
    Array.from({ length: 4 }, () =>
      openSandboxChain({ seed: 5, epochMs: EPOCH_MS, clock: testClock(), states }),
    ),
  )
  const snapshots = await Promise.all(opened.map((chain) => chain.readSnapshot(soon())))
  for (const snapshot of snapshots) assert.deepEqual(snapshot, snapshots[0])
})

test('a stored chain with another seed or format, or unreadable text, is refused and left unchanged', async () => {
  const { states } = await openTestChain()
  const later = { now: () => STARTED_AT + 10 * EPOCH_MS }
  const open = (seed: number, kept = states) =>
    openSandboxChain({ seed, epochMs: EPOCH_MS, clock: later, states: kept })
  const before = states.text()
  await assert.rejects(open(2), { code: 'store_not_ready', message: /seed 1, not 2/ })
  assert.equal(states.text(), before)
  for (const text of ['', 'null', '{}', '{"format":99}', '[]', 'no json']) {
    const kept = memoryStates(text)
    await assert.rejects(open(1, kept), { name: 'Fault', code: 'store_not_ready' })
    assert.equal(kept.text(), text)
  }
})

test('the clock moves the chain: the committee is selected at mid-epoch, the epoch turns at its end', async () => {
  const { clock, snapshot } = await openTestChain()
  const at = async (ms: number) => {
    clock.time = STARTED_AT + ms
    const { epoch } = await snapshot()
    return [epoch.number, epoch.nextCommitteeSelected, epoch.startedAt - STARTED_AT]
  }
  assert.deepEqual(await at(EPOCH_MS / 2 - 1), [91, false, 0])
  assert.deepEqual(await at(EPOCH_MS / 2), [91, true, 0])
  assert.deepEqual(await at(EPOCH_MS - 1), [91, true, 0])
  assert.deepEqual(await at(EPOCH_MS), [92, false, EPOCH_MS])
  assert.deepEqual(await at(EPOCH_MS * 7.75), [98, true, 7 * EPOCH_MS])
})

test('missed epochs are run one by one, each with its own end time', async () => {
  const { clock, chain } = await openTestChain()
  clock.time += 20 * EPOCH_MS + 5
  const records = await chain.readEpochs(91, soon())
  const ends = [...new Set(records.map((record) => record.endedAt))]
  assert.deepEqual(
    ends,
    Array.from({ length: 20 }, (_, index) => STARTED_AT + (index + 1) * EPOCH_MS),
  )
})

test('catching up epoch by epoch or all at once gives the same chain', async () => {
  const step = await openTestChain()
  const jump = await openTestChain()
  for (let epoch = 0; epoch < 10; epoch += 1) {
    step.clock.time += EPOCH_MS
    await step.snapshot()
  }
  jump.clock.time += 10 * EPOCH_MS
  const [walked, jumped] = [await step.snapshot(), await jump.snapshot()]
  assert.deepEqual(jumped.validators, walked.validators)
  assert.deepEqual(jumped.epoch, walked.epoch)
})

test('after a very long stop the chain runs only as many epochs as it remembers, the last of which contains now', async () => {
  const { clock, chain, snapshot } = await openTestChain()
  clock.time += 100 * 365 * 86_400_000
  const { epoch } = await snapshot()
  assert.equal(epoch.number, 91 + REMEMBERED_EPOCHS)
  assert.ok(clock.time - epoch.startedAt < EPOCH_MS && epoch.startedAt <= clock.time)
  const records = await chain.readEpochs(91, soon())
  assert.deepEqual([...new Set(records.map((record) => record.epoch))].length, REMEMBERED_EPOCHS)
})

test('a clock that steps back changes neither epoch nor validators, and no checkpoint goes back', async () => {
  const { clock, snapshot } = await openTestChain()
  clock.time += 3.7 * EPOCH_MS
  const before = await snapshot()
  for (const back of [1, EPOCH_MS / 2, EPOCH_MS]) {
    clock.time = STARTED_AT + 3.7 * EPOCH_MS - back
    const seen = await snapshot()
    assert.deepEqual({ ...seen.epoch }, { ...before.epoch })
    assert.ok(seen.checkpoint >= before.checkpoint)
    assert.deepEqual(seen.validators, before.validators)
  }
})

test('after a clock that was far ahead is corrected, the next epoch ends one epoch later, not when the old time is reached', async () => {
  const { clock, snapshot } = await openTestChain()
  clock.time += 50 * EPOCH_MS
  const ahead = await snapshot()
  clock.time = STARTED_AT
  assert.deepEqual((await snapshot()).epoch.number, ahead.epoch.number)
  clock.time += EPOCH_MS
  const { epoch, checkpoint } = await snapshot()
  assert.equal(epoch.number, ahead.epoch.number + 1)
  assert.ok(checkpoint > ahead.checkpoint)
})

test('advance(n) completes n epochs and starts the next one now; other numbers are refused', async () => {
  const { clock, chain, snapshot } = await openTestChain()
  clock.time += 1_000
  assert.equal(await chain.advance(1), 92)
  assert.equal(await chain.advance(5), 97)
  const { epoch } = await snapshot()
  assert.deepEqual([epoch.number, epoch.startedAt, epoch.nextCommitteeSelected], [97, clock.time, false])
  for (const odd of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, REMEMBERED_EPOCHS + 1]) {
    await assert.rejects(chain.advance(odd), { code: 'invalid_input' })
  }
  assert.equal((await snapshot()).epoch.number, 97)
})

test('checkpoints grow with time and with every change, also over a restart', async () => {
  const { clock, chain, snapshot, states } = await openTestChain()
  const seen = [(await snapshot()).checkpoint]
  await chain.advance(1)
  seen.push((await snapshot()).checkpoint)
  clock.time += 1_000
  seen.push((await snapshot()).checkpoint)
  const again = await openTestChain(states)
  await again.chain.advance(1)
  clock.time = again.clock.time
  seen.push((await again.snapshot()).checkpoint + 5)
  assert.deepEqual(
    seen,
    [...new Set(seen)].toSorted((a, b) => a - b),
  )
  assert.equal((await snapshot()).checkpointAt, clock.time)
})

test('the stored state stays bounded: old rates are pruned, and stakes keep their rewards', async () => {
  const { chain, snapshot, stake, token, states } = await openTestChain()
  const id = await stake(withStatus(await snapshot(), 'active').id, 1_000n * TOKEN)
  await chain.advance(400)
  const [length, earned] = [states.text().length, (await token(id)).rewards]
  await chain.advance(400)
  await chain.advance(400)
  assert.ok(states.text().length < length * 1.4)
  assert.ok((await token(id)).rewards > earned * 2n)
})

test('many transactions in one epoch: their records stay bounded, repeats change nothing, and an advance makes room', async () => {
  const { chain, snapshot, stake, states } = await openTestChain()
  const seen = await snapshot()
  const { epoch, system } = seen
  const whole = await stake(withStatus(seen, 'active').id, 5_000n * TOKEN)
  const call = (id: string, name: string, argument: CommandArgument): Command => ({
    kind: 'moveCall',
    id,
    target: `${system.packageId}::staked_token::${name}`,
    typeArguments: [],
    arguments: [{ kind: 'ownedObject', objectId: whole }, argument],
  })
  const parts = Array.from({ length: 1_000 }, (_, at) => `part${at}`)
  const split: readonly Command[] = [
    ...parts.map((id) => call(id, 'split', { kind: 'pure', type: 'u64', value: `${TOKEN}` })),
    { kind: 'transferToSender', objects: parts.map((of) => ({ kind: 'result', of })) },
  ]
  const execute = (nonce: number, lastEpoch = epoch.number + 1) =>
    chain.execute(ME, split, { nonce: `${nonce}`, lastEpoch })
  const joinAll = async ({ created }: { readonly created: readonly { readonly id: string }[] }) =>
    chain.execute(
      ME,
      created.map(({ id }, at) => call(`join${at}`, 'join', { kind: 'ownedObject', objectId: id })),
    )
  const executeAndJoin = async (nonce: number) => {
    const result = await execute(nonce)
    assert.ok(result.kind === 'done')
    await joinAll(result)
    return result
  }
  const first = await executeAndJoin(0)
  const withOne = states.text().length
  const full = { code: 'forbidden', next: { endpoint: 'sandboxAdvance', given: { epochs: 2 } } }
  let next = 1
  await assert.rejects(async () => {
    for (; next < 50; next += 1) await executeAndJoin(next)
  }, full)
  assert.ok(states.text().length - withOne < 2_000_000)
  const before = states.text()
  assert.deepEqual(await execute(0), first)
  assert.equal(states.text(), before)
  await chain.advance(1)
  await assert.rejects(execute(next), full)
  await chain.advance(1)
  assert.equal((await execute(next, epoch.number + 3)).kind, 'done')
  assert.ok(states.text().length < withOne + 400_000, 'expired records were dropped')
  await assert.rejects(execute(0), { code: 'invalid_input', message: /expired/ })
})

test('a read after its deadline fails with timeout', async () => {
  const { chain } = await openTestChain()
  await assert.rejects(chain.readSnapshot(AbortSignal.abort()), { name: 'Fault', code: 'timeout' })
})
