import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import { memoryStates } from '../../../../test/sandbox/test-chain.ts'
import { DAY_MS } from '../../../durations.ts'
import { calibrate, rangeParts } from './calibration.ts'
import { outcomesFrom, pastErrors } from './past-errors.ts'
import { dilutionOver, flowIn } from './stake-flow.ts'

/** A sandbox chain: stakers come and go in its generated history, up to epoch 91, and never after that. */
async function sandboxAfter(epochs: number) {
  const clock = { now: () => 1_800_000_000_000 }
  const chain = await openSandboxChain({ seed: 5, epochMs: DAY_MS, clock, states: memoryStates() })
  await chain.advance(epochs)
  const never = new AbortController().signal
  const snapshot = await chain.readSnapshot(never)
  const records = Map.groupBy(await chain.readEpochs(0, never), ({ validatorId }) => validatorId)
  return { snapshot, records }
}

test('without stakes and withdrawals the flow is 0 and the dilution 1: rewards are no flow', async () => {
  const { snapshot, records } = await sandboxAfter(40)
  const busy = Array.from({ length: 60 }, (_, step) => flowIn(records, 30 + step))
  assert.ok(busy.reduce((sum, flow) => sum + flow, 0) / busy.length > 5e-4)
  // Rates are from the end of an epoch, stakes from its start: the rewards in between remain as a small flow.
  for (let epoch = 95; epoch < snapshot.epoch.number; epoch++) assert.ok(flowIn(records, epoch) < 2e-5)
  for (const ofPool of records.values()) assert.ok(Math.abs(dilutionOver(ofPool, 95, 30) - 1) < 5e-4)
})

test('new stake dilutes: twice the stake from the first epoch on gives 0.5', () => {
  const record = (epoch: number, stake: bigint) => ({
    validatorId: '1',
    epoch,
    endedAt: epoch,
    // Rewards of 1% in every epoch.
    rate: { tokens: BigInt(Math.round(1e15 * 1.01 ** epoch)), shares: 10n ** 15n },
    stake: (stake * BigInt(Math.round(1e15 * 1.01 ** epoch))) / 10n ** 15n,
    commissionBps: 0,
    commissionSource: 'read' as const,
    performed: true,
  })
  const records = Array.from({ length: 20 }, (_, epoch) =>
    record(epoch, epoch < 10 ? 10n ** 15n : 2n * 10n ** 15n),
  )
  assert.ok(Math.abs(dilutionOver(records, 10, 7) - 0.5) < 1e-9)
  assert.ok(Math.abs(dilutionOver(records, 2, 7) - 1) < 1e-9)
})

test('when stakes and withdrawals stop, 30-epoch ranges narrow before their outcomes are known', async () => {
  const { snapshot, records } = await sandboxAfter(20)
  const widthOf = (errors: ReturnType<typeof pastErrors>): number => {
    const calibration = errors && calibrate(errors)
    assert.ok(calibration)
    const { low, high } = rangeParts(calibration)
    return high - low
  }
  const asThen = {
    outcomesAt: (origin: number) =>
      outcomesFrom(snapshot, records, origin, 30).map(({ ratio }) => ({ ratio, dilution: 1 })),
  }
  const [before, now] = [pastErrors(snapshot, records, 30, asThen), pastErrors(snapshot, records, 30)]
  assert.ok(widthOf(now) < 0.8 * widthOf(before))
})
