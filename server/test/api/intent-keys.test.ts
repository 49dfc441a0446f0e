import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openIntentSigner } from '#adapters/system/intent-keys.ts'
import { HOUR_MS } from '../../src/durations.ts'
import { openTestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { storeUnderTest } from '../support/test-store.ts'

const NEXT_SECRET = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const LAST_SECRET = '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752'

test('a key signs from its start time on, and all keys are published from the beginning', async () => {
  const clock = testClock()
  const [soon, later] = [clock.now() + HOUR_MS, clock.now() + 2 * HOUR_MS].map((at) =>
    new Date(at).toISOString(),
  )
  await using app = await openTestApp({
    clock,
    env: { INTENT_KEYS: `${LAST_SECRET}@${later},${NEXT_SECRET}@${soon}` },
  })
  const { keys } = await app.client().intentKeys()
  const [last, next, first] = keys
  assert.deepEqual(
    keys.map(({ validFrom, validUntil }) => [validFrom, validUntil]),
    [
      [later, null],
      [soon, later],
      ['1970-01-01T00:00:00.000Z', soon],
    ],
  )
  const { data } = await app.client().sandboxKey({ agentName: 'signed' })
  const agent = app.client({ apiKey: data.apiKey })
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const signedBy = async () => {
    await app.runJob('watch-network')
    return (await agent.buildStake({ validatorId: id, amount: '5000000000' })).intentSignature.keyId
  }
  assert.equal(await signedBy(), first?.kid)
  clock.advance(HOUR_MS)
  assert.equal(await signedBy(), next?.kid)
  clock.advance(HOUR_MS)
  assert.equal(await signedBy(), last?.kid)
  assert.deepEqual((await app.client().intentKeys()).keys, keys)
})

test('without configuration the key is kept with the data, and a restart uses it again', async () => {
  await using first = await openTestApp()
  const { folder } = first
  const before = await first.client().intentKeys()
  await first.stop()
  await using second = await openTestApp({ folder })
  assert.deepEqual(await second.client().intentKeys(), before)
  if (storeUnderTest() === 'sqlite') {
    const secret = (await readFile(join(folder, 'intent-key'), 'utf8')).trim()
    assert.equal(openIntentSigner(secret, []).keys[0]?.id, before.keys[0]?.kid)
  }
})

test('a key that is valid from time 0 on replaces the one kept with the data, which is no longer published', () => {
  const signer = openIntentSigner(LAST_SECRET, [{ secret: NEXT_SECRET, validFrom: 0 }])
  assert.deepEqual(
    signer.keys.map(({ id }) => id),
    openIntentSigner(NEXT_SECRET, []).keys.map(({ id }) => id),
  )
})
