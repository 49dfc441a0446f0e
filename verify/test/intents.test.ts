import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { LIFETIME_MS } from '../../server/src/domain/staking/transactions/expiry.ts'
import { connectMcp } from '../../server/test/mcp/mcp-client.ts'
import { bytesOf } from '../../server/test/support/sdk-transactions.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { canonical, digestOf } from '../src/canonical.ts'
import { BadWish, type SignedIntent, verifyIntent, verifyTransaction } from '../src/index.ts'
import { LONGEST_LIFETIME_MS } from '../src/intents/verify-intent.ts'
import { builtOn } from './support/intents.ts'

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`${network}: each transaction carries an intent that its JSON and its bytes fulfil`, async () => {
    const { answers, sender, keys, table } = await builtOn(network)
    for (const [action, answer] of Object.entries(answers)) {
      assert.equal(answer.intent.action, network === 'sui' && action === 'unstake' ? 'withdraw' : action)
      const bytes = await bytesOf(answer, sender)
      for (const transaction of [answer.transaction, bytes]) {
        const verdict = await verifyIntent(transaction, answer, { keys, table, at: null })
        assert.deepEqual(verdict.failures, [], `${action}, ${transaction === bytes ? 'bytes' : 'JSON'}`)
      }
      const endless = await bytesOf({ commands: answer.commands }, sender)
      const [failure] = (await verifyIntent(endless, answer, { keys, table, at: null })).failures
      assert.equal(failure?.rule, 'expiry', action)
    }
    const other = await verifyIntent(answers.stake.transaction, answers.unstake, { keys, table, at: null })
    assert.deepEqual([...new Set(other.failures.map(({ rule }) => rule))], ['effects', 'calls'])
  })
}

test('a change of any value in an intent, its id or its signature is refused', async () => {
  const { answers, keys, table } = await builtOn('ika')
  for (const { transaction, intent, intentId, intentSignature } of Object.values(answers)) {
    const honest = { intent, intentId, intentSignature }
    assert((await verifyIntent(transaction, honest, { keys, table, at: null })).ok)
    const forged = [...mutantsOf(honest)]
    assert(forged.length > 60, `${forged.length}`)
    for (const [what, mutant] of forged) {
      const refused = await verifyIntent(transaction, mutant, { keys, table, at: null }).then(
        ({ ok }) => !ok,
        (error) => error instanceof BadWish,
      )
      assert(refused, `${what} was changed, and it was accepted`)
    }
  }
})

test('`at` may be a Date or milliseconds; any other value is refused as no time', async () => {
  const { answers, keys, table } = await builtOn('sandbox')
  const { stake } = answers
  const expiresAt = Date.parse(stake.intent.expiresAt)
  const failuresAt = async (at: unknown) => {
    const options: object = { keys, table, at }
    return (await verifyIntent(stake.transaction, stake, { keys, ...options })).failures
  }
  assert.deepEqual(await failuresAt(new Date(expiresAt)), [])
  assert.deepEqual(
    (await failuresAt(new Date(expiresAt + 1))).map(({ rule }) => rule),
    ['expiry'],
  )
  for (const at of [stake.intent.expiresAt, Number.NaN, new Date(Number.NaN), Number.POSITIVE_INFINITY, {}]) {
    const failures = await failuresAt(at)
    assert.deepEqual(
      failures.map(({ rule, expected }) => [rule, expected]),
      [['expiry', '`at` as a Date or in milliseconds']],
      String(at),
    )
  }
})

test('a sponsored transaction is refused for its intent, and accepted for a wish that names the sponsor', async () => {
  const { answers, sender, keys, table } = await builtOn('sandbox')
  const { stake } = answers
  const sponsor = `0x${'43'.repeat(32)}`
  const { gasData, ...rest } = Object(stake.transaction)
  const sponsored = { ...rest, gasData: { ...gasData, owner: sponsor } }
  const { failures } = await verifyIntent(sponsored, stake, { keys, table, at: null })
  assert.deepEqual(
    failures.map(({ rule }) => rule),
    ['gas owner'],
  )
  const { network, validator, amount } = stake.intent
  const wish = { network, sender, action: 'stake', validator, amount }
  assert(verifyTransaction(sponsored, { ...wish, sponsor }, { table }).ok)
  assert(!verifyTransaction(sponsored, wish, { table }).ok)
})

test('an intent with the keys of another service, with an edited table or after its expiry is refused', async () => {
  const ours = await builtOn('sandbox')
  const secret = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  await using other = await openTestApp({ env: { INTENT_KEYS: `${secret}@1970-01-01T00:00:00Z` } })
  const theirs = await other.client().intentKeys()
  const { stake } = ours.answers
  const rulesOf = async (options: Partial<Parameters<typeof verifyIntent>[2]>) => {
    const { failures } = await verifyIntent(stake.transaction, stake, {
      keys: ours.keys,
      at: null,
      ...options,
    })
    return failures.map(({ rule }) => rule)
  }
  assert.deepEqual(await rulesOf({}), [], 'the sandbox is pinned as it is')
  assert.deepEqual(await rulesOf({ keys: theirs }), ['signature'])
  const expiresAt = Date.parse(stake.intent.expiresAt)
  assert.deepEqual(await rulesOf({ at: expiresAt }), [])
  assert.deepEqual(await rulesOf({ at: expiresAt + 1 }), ['expiry'])
  assert.deepEqual(await rulesOf({ at: undefined }), ['expiry'], 'by the clock of the machine')
  const [key] = ours.keys.keys
  for (const [wrong, name] of [
    [{ keys: [] }, 'BadKeys'],
    [{ keys: [{ ...key, kid: theirs.keys[0]?.kid }] }, 'BadKeys'],
    [{ keys: [{ ...key, validUntil: 'later' }] }, 'BadKeys'],
    [null, 'BadKeys'],
  ] as const) {
    await assert.rejects(rulesOf({ keys: wrong }), { name })
  }
  await assert.rejects(rulesOf({ table: { ...ours.table, version: 100 } }), { name: 'BadTable' })
  assert.deepEqual(await rulesOf({ keys: { keys: [{ ...key, validUntil: stake.intent.issuedAt }] } }), [
    'signature',
  ])
})

test('an intent signed with a retired key is refused, even if it is backdated', async () => {
  assert.equal(LONGEST_LIFETIME_MS, LIFETIME_MS, 'what services sign')
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  const kid = await digestOf({ crv, kty, x })
  const keys = {
    keys: [{ kty, crv, x, kid, validFrom: '2019-01-01T00:00:00Z', validUntil: '2020-01-01T00:00:00Z' }],
  }
  const { answers } = await builtOn('sandbox')
  const { transaction, intent } = answers.stake
  const at = Date.parse(intent.issuedAt)
  const rulesFor = async (issuedAt: string, expiresAt: string, when: number | null) => {
    const dated = { ...intent, issuedAt, expiresAt }
    const value = sign(null, Buffer.from(canonical(dated)), privateKey).toString('base64url')
    const signed = { intent: dated, intentId: await digestOf(dated), intentSignature: { keyId: kid, value } }
    const { failures } = await verifyIntent(transaction, signed, { keys, at: when })
    return failures.map(({ rule }) => rule)
  }
  const before = '2019-06-01T00:00:00.000Z'
  assert.deepEqual(await rulesFor(before, '2019-06-01T00:10:00.000Z', Date.parse(before)), [])
  assert.deepEqual(await rulesFor(before, '2019-06-01T00:10:00.001Z', null), ['expiry'])
  assert.deepEqual(await rulesFor(before, intent.expiresAt, at), ['expiry'])
  assert.deepEqual(await rulesFor(before, '2019-06-01T00:10:00.000Z', at), ['expiry'])
  assert.deepEqual(await rulesFor(before, 'never', null), ['expiry'])
  assert.deepEqual(await rulesFor(intent.issuedAt, intent.expiresAt, at), ['signature'])
  const early = Date.parse(before) - 300_000
  assert.deepEqual(await rulesFor(before, '2019-06-01T00:10:00.000Z', early), [], 'clocks differ a little')
  assert.deepEqual(await rulesFor(before, '2019-06-01T00:10:00.000Z', early - 1), ['expiry'])
  // @ts-expect-error: the keys are needed.
  await assert.rejects(verifyIntent(transaction, answers.stake), { name: 'BadKeys' })
})

test('an intent without a sender is compared in everything else, and `sender` is reported as unchecked', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'hasty' })
  const agent = app.client({ apiKey: data.apiKey })
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const amount = '5000000000'
  const [{ intent }, named] = await Promise.all([
    agent.buildStake({ validatorId: id, amount }),
    agent.buildStake({ validatorId: id, amount, sender: `0x${'11'.repeat(32)}` }),
  ])
  const { transaction } = named
  const found = (changes: object) => {
    const { failures, unchecked } = verifyTransaction({ ...Object(transaction), ...changes }, intent)
    return [failures.map(({ rule }) => rule), unchecked]
  }
  assert.deepEqual(found({}), [[], ['sender']])
  assert.deepEqual(found({ sender: null })[0], ['sender'])
  assert.deepEqual(found({ expiration: null })[0], ['expiry'])
  const gasData = { budget: '100000001', price: null, owner: `0x${'22'.repeat(32)}`, payment: null }
  assert.deepEqual(found({ gasData })[0], ['gas owner', 'gas budget'])
})

test('an MCP client gets the same signed intent', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'tools' })
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': data.apiKey })
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const sender = `0x${'11'.repeat(32)}`
  const built = await mcp.call('build_stake', { validatorId: id, amount: '5000000000', sender })
  const { data: keys } = await mcp.call('intent_keys')
  const { transaction, intent, intentId, intentSignature } = built.data
  const signed = { intent, intentId, intentSignature }
  assert.deepEqual((await verifyIntent(transaction, signed, { keys, at: null })).failures, [])
})

/** Each value changed, left out, null or in a list, one at a time, and each object with one more field. */
function* mutantsOf(honest: SignedIntent): Generator<readonly [what: string, mutant: SignedIntent]> {
  for (const path of pathsOf(honest)) {
    for (const change of [changed, () => undefined, () => null, () => [], (value: unknown) => [value]]) {
      const mutant = structuredClone(honest)
      const last = path.at(-1) ?? ''
      const holder = path.slice(0, -1).reduce<unknown>((at, name) => Reflect.get(Object(at), name), mutant)
      const before = Reflect.get(Object(holder), last)
      Reflect.set(Object(holder), last, change(before))
      if (JSON.stringify(mutant) !== JSON.stringify(honest)) yield [path.join('.'), mutant]
    }
  }
  yield ['a field more', { ...honest, intent: { ...Object(honest.intent), more: 1 } }]
}

function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsOf(inner).map((path) => [name, ...path]),
  ])
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
  return value === null ? 'x' : { ...Object(value), more: '1' }
}
