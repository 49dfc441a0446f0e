import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { currentNetwork } from '#domain/network/current-network.ts'
import { extendHistory, NO_HISTORY } from '#domain/network/history.ts'
import { viewNetwork } from '#domain/network/network-view.ts'
import { recordForecasts } from '#domain/staking/forecast/record-forecasts.ts'
import type { ForecastSet, Forecasts } from '#ports/stores/forecasts.ts'
import { EPOCH_MS, openTestChain, soon } from '../../../test/sandbox/test-chain.ts'
import { accuracyEndpoints } from './accuracy.ts'

const digest = (text: string) => hash('sha256', text)

/** The endpoint on a simulated chain. Storing the forecasts takes as long as `pause`. */
async function openAccuracy(pause: { until: Promise<void> }) {
  const { chain, clock } = await openTestChain()
  const network = currentNetwork({ clock, nodes: { states: () => [] } })
  const stored: ForecastSet[] = []
  let reads = 0
  const forecasts: Forecasts = {
    add: async (set) => void stored.push(set),
    since: async (_network, from) => {
      reads++
      return stored.filter(({ epoch }) => epoch >= from)
    },
  }
  const { accuracy } = accuracyEndpoints({ network, forecasts })
  const needs = { network, forecasts, clock, preparesAhead: true, pause: () => pause.until }
  /** What the endpoint answers for horizon 1: its epochs are the lines of the CSV. */
  const askEpochs = async (): Promise<readonly number[]> => {
    const asked = { horizon: '1' } as const
    // `handle` reads only `prefers` of its context.
    const context = { prefers: () => 'text/csv' } as unknown as Parameters<typeof accuracy.handle>[1]
    const outcome = await accuracy.handle(asked, context)
    assert('answer' in outcome && outcome.answer !== undefined && 'body' in outcome.answer)
    const [, ...lines] = String(outcome.answer.body).trim().split('\n')
    return lines.map((line) => Number(line.split(',')[2]))
  }
  return {
    clock,
    record: recordForecasts(needs),
    askEpochs,
    reads: () => reads,
    /** Serves the chain's present state, with its past or without. */
    async serve(withPast = true) {
      const snapshot = await chain.readSnapshot(soon())
      const present = network.peek()
      const history = present?.history ?? NO_HISTORY
      const from = (history.newestEpoch ?? snapshot.epoch.number - 10) + 1
      const records = withPast ? await chain.readEpochs(from, soon()) : []
      const next = extendHistory(history, records, snapshot.rewards.shape)
      network.replaceIf(present, viewNetwork(snapshot, next, digest, present))
      return snapshot.epoch.number
    },
  }
}

test('a request while the forecasts of a new epoch are being stored does not hide them from later ones', async () => {
  const pause = { until: Promise.resolve() }
  const { clock, serve, record, askEpochs, reads } = await openAccuracy(pause)
  const first = await serve()
  await record()
  assert.deepEqual(await askEpochs(), [first])

  const held = Promise.withResolvers<void>()
  pause.until = held.promise
  clock.time += EPOCH_MS
  assert.equal(await serve(), first + 1)
  const recording = record()
  assert.deepEqual(await askEpochs(), [first])
  held.resolve()
  await recording
  assert.deepEqual(await askEpochs(), [first, first + 1])

  const before = reads()
  assert.deepEqual(await askEpochs(), [first, first + 1])
  assert.equal(reads(), before, 'once the forecasts are stored, the result is cached')
})

test('while the last epoch is missing in the history, for which no forecasts are stored, the result is cached', async () => {
  const { clock, serve, record, askEpochs, reads } = await openAccuracy({ until: Promise.resolve() })
  const first = await serve()
  await record()
  clock.time += EPOCH_MS
  await serve(false)
  await record()
  assert.deepEqual(await askEpochs(), [first])
  const before = reads()
  assert.deepEqual(await askEpochs(), [first])
  assert.equal(reads(), before)
})
