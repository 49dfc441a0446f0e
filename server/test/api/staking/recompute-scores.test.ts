import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { recomputeScores } from '../../../../examples/recompute-scores.ts'
import { storageNodes } from '../../fake-full-node/storage-nodes.ts'
import { walrusWorld } from '../../fake-full-node/walrus-world.ts'
import { openChainApp } from '../../support/chain-app.ts'
import { openTestApp } from '../../support/test-app.ts'

test('every score can be recomputed from public answers alone, in a hundred lines', async (t) => {
  const source = await readFile(new URL('../../../../examples/recompute-scores.ts', import.meta.url), 'utf8')
  assert(source.trimEnd().split('\n').length <= 100)
  for (const seed of ['1', '2']) {
    await using app = await openTestApp({ env: { SANDBOX_SEED: seed, LIMIT_IP_RPM: '1000' } })
    const scores = await recomputeScores(app.url)
    const wrong = scores.filter(({ served, recomputed }) => served !== recomputed)
    t.diagnostic(`seed ${seed}: ${scores.length - wrong.length} of ${scores.length} scores are equal`)
    assert(scores.length > 50)
    assert.deepEqual(wrong, [])
  }
})

test('scores can be recomputed for a network that pays by whole shards, too', async () => {
  await using app = await openChainApp('walrus', [walrusWorld(storageNodes(25))])
  const { data } = await app.client().validators()
  assert.equal(
    data.reduce((sum, { nextShards }) => sum + (nextShards ?? 0), 0),
    1_000,
  )
  const scores = await recomputeScores(app.url)
  assert(new Set(scores.map(({ served }) => served)).size > 10)
  assert.deepEqual(
    scores.filter(({ served, recomputed }) => served !== recomputed),
    [],
  )
})

test('the worked example follows from the published constants', async () => {
  await using app = await openTestApp()
  const { example, constants, weights } = await app.client().scoring()
  assert.equal(example.components['uptime']?.toFixed(6), '0.642857')
  assert.equal(example.components['commission'], 0.75)
  assert.equal(example.components['apy']?.toFixed(6), '0.731059')
  assert.equal(example.score, 70.8)
  assert.equal(constants['priorQuality'], 0.95)
  assert.deepEqual(weights, { apy: 0.5, uptime: 0.3, commission: 0.2 })
})
