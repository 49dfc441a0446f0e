import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import { memoryStates } from '../../../../test/sandbox/test-chain.ts'
import { DAY_MS } from '../../../durations.ts'
import { calibrate, rangeParts } from './calibration.ts'
import { outcomesFrom, pastErrors } from './past-errors.ts'
import { dilutionOver, flowIn } from './stake-flow.ts'

/** A simulated chain: stakers come and go until it is opened, at epoch 91, and never again. */
async function sandboxAfter(epochs: number) {
  const clock = { now: () => 1_800_000_000_000 }
  const chain = await openSandboxChain({ seed: 5, epochMs: DAY_MS, clock, states: memoryStates() })
  await chain.advance(epochs)
  const never = new AbortController().signal
  const snapshot = await chain.readSnapshot(never)
  const records = Map.groupBy(await chain.readEpochs(0, never), ({ validatorId }) => validatorId)
  return { snapshot, records }
}

test('rewards are no flow of stake: where nobody stakes or withdraws there is none, and nothing is diluted', async () => {
  const { snapshot, records } = await sandboxAfter(40)
  const busy = Array.from({ length: 60 }, (_, step) => flowIn(records, 30 + step))
  assert.ok(busy.reduce((sum, flow) => sum + flow, 0) / busy.length > 5e-4)
  // Rates are those at the end of an epoch and stakes those at its start: what is earned between remains.
  for (let epoch = 95; epoch < snapshot.epoch.number; epoch++) assert.ok(flowIn(records, epoch) < 2e-5)
  for (const ofPool of records.values()) assert.ok(Math.abs(dilutionOver(ofPool, 95, 30) - 1) < 5e-4)
})

test('stake that comes dilutes: twice as much from the first epoch on leaves half', () => {
  const record = (epoch: number, stake: bigint) => ({
    validatorId: '1',
    epoch,
    endedAt: epoch,
    // One part in a hundred is earned every epoch.
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

test('once nobody stakes or withdraws any more, ranges of thirty epochs narrow before an outcome shows it', async () => {
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
