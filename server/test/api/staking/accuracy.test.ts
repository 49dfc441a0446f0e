import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const EPOCH_MS = 600_000

async function passEpochs(app: TestApp, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    app.clock.advance(EPOCH_MS)
    await app.runJob('watch-network')
  }
}

test('200: projections are pending until their epochs are over, then compared with the paid rewards', async () => {
  await using app = await openTestApp({ env: { SANDBOX_EPOCH_MS: String(EPOCH_MS) } })
  const client = app.client()
  const atFirst = await client.accuracy()
  assert.deepEqual(
    atFirst.results.map(({ horizon, forecasts, blocks }) => [horizon, forecasts, blocks]),
    [
      [1, 0, 0],
      [7, 0, 0],
      [30, 0, 0],
    ],
  )
  for (const { bias, meanAbsoluteError, coverage, rankCorrelation } of atFirst.results)
    assert.deepEqual([bias, meanAbsoluteError, coverage, rankCorrelation], [null, null, null, null])
  const each = atFirst.results[0]?.pending ?? 0
  assert(each > 20)

  await passEpochs(app, 9)
  const { results, epoch, since } = await client.accuracy()
  assert.equal(epoch, atFirst.epoch + 9)
  assert(since !== null)
  const [next, week, month] = results
  assert(next && week && month)
  // Ten sets were made. Those of a horizon h are over if they were made h + 1 epochs ago or earlier.
  assert.deepEqual([next.epochs.length, week.epochs.length, month.epochs.length], [8, 2, 0])
  assert.deepEqual([next.blocks, week.blocks, month.blocks], [8, 1, 0])
  assert.equal(month.forecasts, 0)
  for (const { forecasts, pending, lost } of [next, week, month]) {
    assert(forecasts + pending + lost > 9.5 * each)
    assert.equal(lost, 0)
  }
  assert(week.bias !== null && week.meanAbsoluteError !== null && week.rankCorrelation !== null)
  assert(Math.abs(week.bias) < week.meanAbsoluteError + 1e-9)
  assert(week.meanAbsoluteError < 2)
  assert(week.rankCorrelation > 0.5)
  assert(week.coverage !== null && week.coverage > 0.4)
})

test('200: one horizon, one version; a table of epochs as CSV', async () => {
  await using app = await openTestApp({ env: { SANDBOX_EPOCH_MS: String(EPOCH_MS) } })
  await passEpochs(app, 3)
  const client = app.client()
  const one = await client.accuracy({ horizon: '1' })
  assert.deepEqual(
    one.results.map(({ horizon }) => horizon),
    [1],
  )
  assert.deepEqual((await client.accuracy({ engineVersion: 'none' })).results, [])
  const { results, nextChangeAt } = await client.accuracy({ view: 'compact' })
  assert.deepEqual(Object.keys(results[0] ?? {}), ENDPOINTS.accuracy.list.compact)
  assert.equal(Date.parse(nextChangeAt), (await client.epoch()).endTimestampMs)

  const answer = await fetch(`${app.url}/api/v1/staking/accuracy?horizon=1`, {
    headers: { accept: 'text/csv' },
  })
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  const [head, ...lines] = (await answer.text()).trim().split('\n')
  assert(head?.startsWith('engineVersion,horizon,epoch,forecasts,bias'))
  const judged = lines.filter((line) => Number(line.split(',')[3]) > 0)
  assert.equal(judged.length, one.results[0]?.epochs.length)
})

test('200: CSV only if `Accept` prefers text/csv to JSON', async () => {
  await using app = await openTestApp()
  const typeOf = async (accept: string) => {
    const { headers } = await fetch(`${app.url}/api/v1/staking/accuracy`, { headers: { accept } })
    return headers.get('content-type')?.split(';')[0]
  }
  for (const accept of ['text/csv', 'application/json;q=0.5, TEXT/CSV', 'text/csv, */*;q=0.1'])
    assert.equal(await typeOf(accept), 'text/csv', accept)
  for (const accept of ['text/csv;q=0', 'text/csv-foo', 'application/json, text/csv;q=0.9', '*/*'])
    assert.equal(await typeOf(accept), 'application/json', accept)
})

test('200: the totals, including skill, can be computed from the CSV', async () => {
  await using app = await openTestApp({ env: { SANDBOX_EPOCH_MS: String(EPOCH_MS) } })
  await passEpochs(app, 9)
  const { results } = await app.client().accuracy()
  const answer = await fetch(`${app.url}/api/v1/staking/accuracy`, { headers: { accept: 'text/csv' } })
  const [head = '', ...rows] = (await answer.text()).trim().split('\n')
  const lines = rows.map((row) => {
    const cells = row.split(',')
    return Object.fromEntries(head.split(',').map((name, at) => [name, Number(cells[at])]))
  })
  for (const { horizon, forecasts, meanAbsoluteError, skill, blocks, pending, lost } of results) {
    const own = lines.filter((line) => line['horizon'] === horizon)
    assert.equal(own.length, 10, 'epochs that are pending have a line, too')
    const sum = (name: string, weight?: string) =>
      own.reduce((all, line) => all + (line[name] ?? 0) * (weight ? (line[weight] ?? 0) : 1), 0)
    assert.deepEqual(
      ['forecasts', 'startsBlock', 'pending', 'lost'].map((name) => sum(name)),
      [forecasts, blocks, pending, lost],
    )
    const error = sum('meanAbsoluteError', 'forecasts')
    const close = (figure: number | null, own: number) =>
      assert(
        forecasts === 0 ? figure === null : Math.abs((figure ?? NaN) - own) < 1e-4,
        `${figure} or ${own}`,
      )
    close(meanAbsoluteError, error / forecasts)
    close(skill.lastEpoch, 1 - error / sum('errorOfLastEpoch', 'forecasts'))
    close(skill.mean, 1 - error / sum('errorOfMean', 'forecasts'))
  }
})

test('400: CSV with fields of results, as its lines are epochs', async () => {
  await using app = await openTestApp()
  for (const query of ['fields=bias', 'view=compact']) {
    const headers = { accept: 'text/csv' }
    const refused = await fetch(`${app.url}/api/v1/staking/accuracy?${query}`, { headers })
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /ask for JSON/)
  }
})

test('400: another network, an unknown horizon', async () => {
  await using app = await openTestApp()
  const other = await fetch(`${app.url}/api/v1/staking/accuracy?network=sui`)
  assert.equal(other.status, 400)
  const odd = await fetch(`${app.url}/api/v1/staking/accuracy?horizon=2`)
  assert.equal(odd.status, 400)
})

test('projections survive a restart, and the first one of an epoch stays', async () => {
  const env = { SANDBOX_EPOCH_MS: String(EPOCH_MS) }
  await using app = await openTestApp({ env })
  await passEpochs(app, 2)
  const before = await app.client().accuracy()
  await app.stop()
  await using again = await openTestApp({ env, folder: app.folder, clock: app.clock })
  await again.runJob('watch-network')
  const after = await again.client().accuracy()
  assert.deepEqual([after.since, after.results], [before.since, before.results])
})
