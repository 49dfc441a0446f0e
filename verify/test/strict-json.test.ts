import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinWithBalance, Transaction } from '@mysten/sui/transactions'
import { PINS, verifyTransaction } from '../src/index.ts'
import { type Honest, honestTransactions, SENDER, TOKENS, VALIDATORS } from './support/honest.ts'

type Path = readonly (string | number)[]

/** The SDK's JSON of a complete transaction, by `getData` and by `toJSON`. */
async function writtenBySdk({ transaction }: Honest): Promise<readonly unknown[]> {
  const built = Transaction.from(String(transaction))
  const json = await built.toJSON()
  return [built.getData(), JSON.parse(json), json]
}

/** The transactions of two networks: those of the other networks differ in ids only. */
async function samples(): Promise<readonly (Honest & { readonly json: object })[]> {
  const all = (await honestTransactions()).filter(({ network }) => network === 'ika' || network === 'sui')
  return all.map((one) => {
    const { transaction } = one
    return {
      ...one,
      json: typeof transaction === 'string' ? Transaction.from(transaction).getData() : transaction,
    }
  })
}

/** The paths of all objects and all whole numbers in a value. */
function placesIn(value: unknown, path: Path = []): readonly { path: Path; is: 'object' | 'number' }[] {
  if (typeof value === 'bigint' || typeof value === 'number' || /^[0-9]+$/.test(String(value)))
    return typeof value === 'object' ? [] : [{ path, is: 'number' }]
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))
  return Array.isArray(value) ? inner : [{ path, is: 'object' }, ...inner]
}

function changedAt(json: object, path: Path, change: (value: unknown) => unknown): unknown {
  const copy: unknown = structuredClone(json)
  if (path.length === 0) return change(copy)
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), copy)
  const last = path.at(-1) ?? ''
  Reflect.set(Object(holder), last, change(Reflect.get(Object(holder), last)))
  return copy
}

test('the SDK’s JSON of every honest transaction is accepted, with and without `$kind`', async () => {
  for (const honest of await honestTransactions()) {
    if (typeof honest.transaction !== 'string') continue
    for (const json of await writtenBySdk(honest))
      assert.deepEqual(verifyTransaction(json, honest.wish).failures, [], honest.name)
  }
})

test('the SDK’s JSON of an incomplete transaction is accepted: without coins, object versions and gas', async () => {
  const { packages, coinType, system } = PINS.networks['ika'] ?? assert.fail()
  const transaction = new Transaction()
  transaction.setSender(SENDER)
  const staked = transaction.moveCall({
    target: `${packages[0]}::system::request_add_stake`,
    arguments: [
      transaction.object(system.objectId),
      coinWithBalance({ type: coinType, balance: 5_000_000_000n }),
      transaction.pure.id(VALIDATORS[0]),
    ],
  })
  transaction.transferObjects([staked], SENDER)
  transaction.moveCall({
    target: `${packages[0]}::system::request_withdraw_stake`,
    arguments: [transaction.object(system.objectId), transaction.object(TOKENS[0])],
  })
  const items = [
    { action: 'stake', validator: VALIDATORS[0], amount: '5000000000' },
    { action: 'unstake', stakedTokenId: TOKENS[0] },
  ]
  const json = await transaction.toJSON({ supportedIntents: ['CoinWithBalance'] })
  for (const written of [transaction.getData(), JSON.parse(json), json])
    assert.deepEqual(verifyTransaction(written, { network: 'ika', sender: SENDER, items }).failures, [])
})

test('a field that the SDK does not write is refused in every object', async () => {
  for (const { name, json, wish } of await samples())
    for (const { path, is } of placesIn(json))
      for (const more of is === 'object' ? ['memo', 'type', 'Pure', 'MoveCall', 'GasCoin'] : []) {
        const spoiled = changedAt(json, path, (value) =>
          Object.hasOwn(Object(value), more)
            ? { memo: 1, ...Object(value) }
            : { ...Object(value), [more]: 1 },
        )
        assert.equal(verifyTransaction(spoiled, wish).ok, false, `${name}: ${path.join('.')} with ${more}`)
      }
})

test('`type` is accepted only in an argument that is an input', async () => {
  const [json] = (await samples()).filter(({ name }) => name === 'sui: stake, json')
  const place = (placesIn(json?.json) ?? []).flatMap(({ path }) =>
    path.at(-1) === 'Result' ? [path.slice(0, -1)] : [],
  )
  assert(json && place[0])
  const typed = changedAt(json.json, place[0], (value) => ({ ...Object(value), type: 'object' }))
  assert.match(verifyTransaction(typed, json.wish).failures[0]?.actual ?? '', /unknown field type/)
})

const ODD = ['', ' ', '0x3', '03', '+3', '3.0', '1e3', '-1', ' 3', '３', '3n', String(2n ** 64n)]
const ODD_NUMBERS = [-1, 1.5, 2 ** 53, Number.NaN, true, [], {}]

test('every other spelling of a whole number is refused, in every field', async () => {
  for (const { name, json, wish } of await samples())
    for (const { path, is } of placesIn(json))
      for (const odd of is === 'number' ? [...ODD, ...ODD_NUMBERS] : []) {
        const verdict = verifyTransaction(
          changedAt(json, path, () => odd),
          wish,
        )
        assert.equal(verdict.ok, false, `${name}: ${path.join('.')} is ${JSON.stringify(odd)}`)
      }
})

test('an expiry or a budget that is no number is refused with its path', async () => {
  const [stake] = (await samples()).filter(({ name }) => name.startsWith('ika: stake, bytes'))
  assert(stake)
  for (const [path, odd, at] of [
    [['expiration'], { Epoch: '' }, 'expiration.Epoch'],
    [['expiration'], { Epoch: '0x3' }, 'expiration.Epoch'],
    [['gasData', 'budget'], '', 'gasData.budget'],
  ] as const) {
    const { failures } = verifyTransaction(
      changedAt(stake.json, path, () => odd),
      stake.wish,
    )
    assert.deepEqual(
      failures.map(({ rule, actual }) => [rule, actual]),
      [['encoding', `it.${at} must be a whole number of 64 bits in decimal digits`]],
    )
  }
})

test('a duplicate field name is refused: some parsers keep the first field, some the last', async () => {
  const [json] = (await honestTransactions()).filter(({ name }) => name === 'ika: stake, json')
  const text = JSON.stringify(json?.transaction)
  assert(verifyTransaction(text, json?.wish).ok)
  const twice = text.replace('"version":2', `"sender":"0x${'66'.repeat(32)}","version":2`)
  const [failure] = verifyTransaction(twice, json?.wish).failures
  assert.deepEqual([failure?.rule, failure?.actual], ['encoding', 'a duplicate field name'])
})
