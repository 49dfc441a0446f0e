import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork, variedValidators } from '../../../../test/support/sample-network.ts'
import type { History } from '../../network/history.ts'
import { prepareCalibrations, rememberCalibrations } from './current-calibration.ts'
import { projectAt } from './past-market.ts'
import { type PastProjections, rememberProjections } from './past-projections.ts'
import { HORIZONS } from './record-forecasts.ts'

const { snapshot, records } = sampleNetwork(variedValidators(12, 3).map((one) => ({ ...one, firstEpoch: 0 })))
const history: History = { newestEpoch: 99, byValidator: records }
const inEpoch = (number: number) => ({ ...snapshot, epoch: { ...snapshot.epoch, number } })

test('a new epoch computes at most one past projection per horizon; cached ones give the same calibrations', () => {
  let computed = 0
  const counted: typeof projectAt = (...given) => {
    computed++
    return projectAt(...given)
  }
  let projections = rememberProjections(inEpoch(80), history, undefined, counted)
  const ask = (epoch: number) =>
    HORIZONS.map((horizon) => rememberCalibrations(inEpoch(epoch), history, projections)(horizon))
  assert(ask(80).every((calibration) => calibration !== undefined))
  assert(computed > 15)
  for (let epoch = 81; epoch <= 100; epoch++) {
    computed = 0
    projections = rememberProjections(inEpoch(epoch), history, projections, counted)
    const found = ask(epoch)
    assert(computed <= HORIZONS.length, `${computed} in epoch ${epoch}`)
    const afresh = rememberProjections(inEpoch(epoch), history)
    assert.deepEqual(
      found,
      HORIZONS.map((horizon) => rememberCalibrations(inEpoch(epoch), history, afresh)(horizon)),
    )
  }
})

test('values that lack records are not cached: with the records the calibrations are those of an empty cache', () => {
  const until = (newestEpoch: number): History => ({
    newestEpoch,
    byValidator: new Map(
      [...records].map(([id, list]) => [id, list.filter((one) => one.epoch <= newestEpoch)]),
    ),
  })
  const [late, whole] = [until(70), until(79)]
  const ask = (of: History, projections: PastProjections) =>
    HORIZONS.map((horizon) => rememberCalibrations(inEpoch(80), of, projections)(horizon))
  const early = rememberProjections(inEpoch(80), late)
  const withoutRecords = ask(late, early)
  const found = ask(whole, rememberProjections(inEpoch(80), whole, early))
  assert.notDeepEqual(found, withoutRecords)
  assert.deepEqual(found, ask(whole, rememberProjections(inEpoch(80), whole)))
})

test('calibrations are prepared one projection at a time, and later use computes none', async () => {
  let sincePause = 0
  let most = 0
  let pauses = 0
  const counted: typeof projectAt = (...given) => {
    sincePause++
    most = Math.max(most, sincePause)
    return projectAt(...given)
  }
  const pause = async () => {
    sincePause = 0
    pauses++
  }
  const projections = rememberProjections(inEpoch(80), history, undefined, counted)
  const calibration = rememberCalibrations(inEpoch(80), history, projections)
  await prepareCalibrations({ snapshot: inEpoch(80), history, projections, calibration }, HORIZONS, pause)
  assert.equal(most, 1)
  assert.equal(pauses, projections.known.rates.size + HORIZONS.length)
  for (const horizon of HORIZONS) assert(calibration(horizon))
  assert.equal(sincePause, 0)
})

test('a change of the chain rules empties the cache of projections', () => {
  const before = rememberProjections(snapshot, history)
  before.at(50)
  const changed = { ...snapshot, epoch: { ...snapshot.epoch, durationMs: 1_000 } }
  assert.equal(rememberProjections(changed, history, before).known.rates.size, 0)
  assert.equal(rememberProjections(snapshot, history, before).known.rates.size, 1)
})
