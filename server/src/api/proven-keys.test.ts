import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { proveKeys } from './proven-keys.ts'

const real = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

/** Counts the digests that are computed. */
function openProofs(mostCached = 1_000) {
  let made = 0
  const { prove, forgetUnused } = proveKeys(
    {
      ...real,
      digest(purpose, secret) {
        made += 1
        return real.digest(purpose, secret)
      },
    },
    mostCached,
  )
  const digestOf = (key: string) => {
    const claim = prove(key)
    return claim?.kind === 'agent-key' ? claim.digest() : undefined
  }
  return { digestOf, forgetUnused, made: () => made }
}

test('the digest of a key is computed once for all connections; text that is no key gives no claim', () => {
  const { digestOf, made } = openProofs()
  const keys = Array.from({ length: 50 }, () => real.newApiKey())
  for (const key of [...keys, ...keys, ...keys]) assert.equal(digestOf(key), real.digest('key', key))
  assert.equal(made(), 50)
  for (const wrong of ['', 'stk_', `${keys[0]}x`, keys[0]?.toLowerCase() ?? ''])
    assert.equal(digestOf(wrong), undefined)
})

test('a full cache computes the digest of an earlier key again, correctly', () => {
  const { digestOf, made } = openProofs(4)
  const first = real.newApiKey()
  digestOf(first)
  for (let sent = 0; sent < 5; sent += 1) digestOf(real.newApiKey())
  const before = made()
  assert.equal(digestOf(first), real.digest('key', first))
  assert.equal(made(), before + 1)
})

test('a key that is in use stays, and one that is not used between two calls is dropped', () => {
  const { digestOf, forgetUnused, made } = openProofs()
  const [used, unused] = [real.newApiKey(), real.newApiKey()]
  for (const key of [used, unused]) digestOf(key)
  for (let round = 0; round < 3; round += 1) {
    forgetUnused()
    digestOf(used)
  }
  assert.equal(made(), 2)
  digestOf(unused)
  assert.equal(made(), 3)
})
