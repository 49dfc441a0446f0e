import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { BadWish, PINS, verifyTransaction } from '../src/index.ts'
import { COINS, DIGEST, honestTransactions, SENDER, VALIDATORS, withGas } from './support/honest.ts'

const ATTACKER = `0x${'66'.repeat(32)}`
const WISH = {
  network: 'sui',
  sender: SENDER,
  action: 'stake',
  validator: VALIDATORS[0],
  amount: '1000000000',
}

/** A stake of SUI from the gas coin, which a test may spoil before it is built. */
async function stakeOf(
  spoil: (transaction: Transaction) => void = () => {},
  { amount = 1_000_000_000, recipient = SENDER, validator = VALIDATORS[0] as string } = {},
): Promise<string> {
  const transaction = withGas(new Transaction())
  transaction.setSender(SENDER)
  const [coin] = transaction.splitCoins(transaction.gas, [amount])
  const system = transaction.sharedObjectRef({ objectId: '0x5', initialSharedVersion: 1, mutable: true })
  const staked = transaction.moveCall({
    target: '0x3::sui_system::request_add_stake_non_entry',
    arguments: [system, coin, transaction.pure.address(validator)],
  })
  transaction.transferObjects([staked], recipient)
  spoil(transaction)
  return toBase64(await transaction.build())
}

const rulesOf = (transaction: unknown, wish: unknown = WISH) =>
  verifyTransaction(transaction, wish).failures.map(({ rule }) => rule)

suite('a transaction is refused', () => {
  test('for another validator, amount, sender or network', async () => {
    const honest = await stakeOf()
    assert.deepEqual(rulesOf(honest), [])
    assert.deepEqual(rulesOf(await stakeOf(undefined, { amount: 999_999_999 })), ['effects'])
    assert.deepEqual(rulesOf(await stakeOf(undefined, { validator: ATTACKER })), ['effects'])
    assert.deepEqual(rulesOf(honest, { ...WISH, sender: ATTACKER }), ['sender', 'gas owner'])
    assert.deepEqual(rulesOf(honest, { ...WISH, network: 'ika' }), ['pattern'])
  })

  test('when the staked token goes to another address', async () => {
    assert.deepEqual(rulesOf(await stakeOf(undefined, { recipient: ATTACKER })), ['recipient'])
  })

  test('when it has any additional command', async () => {
    const more: readonly ((transaction: Transaction) => void)[] = [
      (it) => it.transferObjects([it.gas], ATTACKER),
      (it) => it.transferObjects([it.splitCoins(it.gas, [1])], ATTACKER),
      (it) => it.transferObjects([it.splitCoins(it.gas, [1])], SENDER),
      (it) =>
        void it.mergeCoins(it.gas, [it.objectRef({ objectId: COINS[0], version: '1', digest: DIGEST })]),
      (it) => void it.moveCall({ target: `${ATTACKER}::evil::run`, arguments: [] }),
      (it) => void it.moveCall({ target: '0x2::tx_context::epoch', arguments: [] }),
      (it) => void it.makeMoveVec({ type: 'u64', elements: [it.pure.u64(1)] }),
      (it) => void it.publish({ modules: [[1]], dependencies: ['0x1'] }),
    ]
    for (const [at, spoil] of more.entries()) {
      const rules = rulesOf(await stakeOf(spoil))
      assert(rules.length === 1 && (rules[0] === 'pattern' || rules[0] === 'recipient'), `${at}: ${rules}`)
    }
  })

  test('when it spends coins of a sponsor, or has a sponsor that the wish does not name', async () => {
    const sponsored = await stakeOf((it) => it.setGasOwner(ATTACKER))
    assert.deepEqual(rulesOf(sponsored), ['pattern'])
    assert.deepEqual(rulesOf(sponsored, { ...WISH, sponsor: ATTACKER }), ['pattern'])
    const own = (await honestTransactions()).find(({ name }) => name === 'ika: withdraw, bytes')
    const decoded = bcs.TransactionData.fromBase64(String(own?.transaction))
    decoded.V1.gasData.owner = ATTACKER
    const paid = toBase64(bcs.TransactionData.serialize(decoded).toBytes())
    assert.deepEqual(rulesOf(paid, own?.wish), ['gas owner'])
    assert.deepEqual(rulesOf(paid, { ...own?.wish, sponsor: ATTACKER }), [])
  })

  test('when it takes a whole token for a wished amount, unless that is the `principal` of the wish', async () => {
    for (const name of ['ika: withdraw, bytes', 'ika: unstake, bytes']) {
      const whole = (await honestTransactions()).find((one) => one.name === name)
      assert(whole, name)
      const verdict = verifyTransaction(whole.transaction, { ...whole.wish, amount: '7' })
      assert.match(verdict.failures[0]?.expected ?? '', /`principal` of the wish/)
      const rules = (more: object) => rulesOf(whole.transaction, { ...whole.wish, ...more })
      assert.deepEqual(rules({ amount: '7', principal: '7' }), [])
      assert.deepEqual(rules({ principal: '7' }), [])
      assert.deepEqual(rules({ amount: '6', principal: '7' }), ['effects'])
      assert.throws(() => rules({ amount: '8', principal: '7' }), BadWish)
    }
  })

  test('when it withdraws a token whose withdrawal it has just requested, even if the wish asks for both', async () => {
    const [request, payout] = await Promise.all(
      ['ika: unstake, json', 'ika: withdraw, json'].map(async (wanted) => {
        const found = (await honestTransactions()).find(({ name }) => name === wanted)
        assert(found && typeof found.transaction === 'object', wanted)
        return { ...found, json: JSON.parse(JSON.stringify(found.transaction)) }
      }),
    )
    assert(request && payout)
    const [call, transfer] = payout.json.commands
    transfer.TransferObjects.objects = [{ Result: 1 }]
    const both = { ...payout.json, commands: [...request.json.commands, call, transfer] }
    const { network, sender, ...unstake } = request.wish
    const { action, stakedTokenId } = payout.wish
    const verdict = verifyTransaction(both, { network, sender, items: [unstake, { action, stakedTokenId }] })
    assert.deepEqual(
      verdict.failures.map(({ rule, expected }) => [rule, expected]),
      [['pattern', 'a token that waits for nothing']],
    )
  })

  test('when it allows more gas, a later execution or another chain than wished', async () => {
    const honest = await stakeOf()
    assert.deepEqual(rulesOf(honest, { ...WISH, maxGas: '49999999' }), ['gas budget'])
    assert.deepEqual(rulesOf(honest, { ...WISH, expiresEpoch: 999 }), ['expiry'])
    assert.deepEqual(rulesOf(honest, { ...WISH, expiresEpoch: 1_000, atEpoch: 1_000 }), [])
    assert.deepEqual(rulesOf(honest, { ...WISH, atEpoch: 1_001 }), ['expiry'])
    const never = await stakeOf((it) => it.setExpiration({ None: true }))
    assert.deepEqual(rulesOf(never, { ...WISH, expiresEpoch: 1_000 }), ['expiry'])
    const chain = DIGEST
    const times = { minEpoch: '1', maxEpoch: '2', minTimestamp: null, maxTimestamp: null }
    const during = await stakeOf((it) => it.setExpiration({ ValidDuring: { ...times, chain, nonce: 1 } }))
    assert.deepEqual(rulesOf(during), ['chain'])
    assert.deepEqual(rulesOf(during, { ...WISH, expiresEpoch: 1 }), ['chain', 'expiry'])
    assert.equal(
      verifyTransaction(during, WISH).expires,
      'Once signed, it can be executed from the epoch 1 of the chain on until the end of the epoch 2.',
    )
  })

  test('when it cannot be parsed, or is ambiguous', async () => {
    const honest = await stakeOf()
    for (const broken of [
      '',
      'AAAA',
      '?',
      `${honest}\u00e9`,
      toBase64(new Uint8Array(200)),
      '{',
      '{}',
      5,
      null,
      undefined,
    ]) {
      assert.deepEqual(rulesOf(broken), ['encoding'], String(broken))
    }
    const [json] = (await honestTransactions()).filter(({ name }) => name === 'ika: stake, json')
    const read = () => JSON.parse(JSON.stringify(json?.transaction))
    const spoiled = [
      { ...read(), version: 1 },
      { ...read(), inputs: [{ ...read().inputs[0], Pure: { bytes: '' } }, ...read().inputs.slice(1)] },
    ]
    const twoKinds = read()
    twoKinds.commands[1].MoveCall.arguments[1] = { Result: 0, GasCoin: true }
    for (const it of [...spoiled, twoKinds]) assert.deepEqual(rulesOf(it, json?.wish), ['encoding'])
  })
})

test('a malformed coin type is refused like a wrong one', async () => {
  const [json] = (await honestTransactions()).filter(({ name }) => name === 'ika: stake, json')
  const spoiled = JSON.parse(JSON.stringify(json?.transaction))
  for (const type of ['<', '0x2::sui', '', 5, null]) {
    spoiled.commands[0].$Intent.data.type = type
    assert.deepEqual(rulesOf(spoiled, json?.wish), ['pattern'], String(type))
  }
})

test('malformed base64 in an input is refused as an encoding error', async () => {
  const [json] = (await honestTransactions()).filter(({ name }) => name === 'ika: stake, json')
  const spoiled = JSON.parse(JSON.stringify(json?.transaction))
  spoiled.inputs = spoiled.inputs.map((input: object) => ('Pure' in input ? { Pure: { bytes: '?' } } : input))
  assert.deepEqual(rulesOf(spoiled, json?.wish), ['encoding'])
})

test('a wish that cannot be parsed throws BadWish instead of giving a verdict', async () => {
  const honest = await stakeOf()
  const wrong = [
    undefined,
    {},
    { ...WISH, network: 'toString' },
    { ...WISH, action: 'transfer' },
    { ...WISH, amount: 1_000_000_000 },
    { ...WISH, amount: '0' },
    { ...WISH, amount: '1e9' },
    { ...WISH, validator: 'Mossy Ridge' },
    { ...WISH, maxgas: '1' },
    { ...WISH, stakedTokenId: COINS[0] },
    { ...WISH, validatorId: ATTACKER },
    ...['sender', 'maxGas', 'sponsor', 'expiresEpoch', 'atEpoch', 'items', 'validatorId', 'principal'].map(
      (name) => ({ ...WISH, [name]: null }),
    ),
    { network: 'sui', sender: SENDER, items: [] },
    { network: 'sui', sender: SENDER, items: [{ action: 'stake' }] },
    { network: 'sui', sender: SENDER, action: 'stake', items: [WISH] },
  ]
  for (const wish of wrong)
    assert.throws(() => verifyTransaction(honest, wish), BadWish, JSON.stringify(wish))
})

test('a custom table is used, and the verdict has its version', async () => {
  const { sui } = PINS.networks
  assert(sui)
  const table = { version: 9, networks: { sui: { ...sui, packages: [ATTACKER] } } }
  const { ok, tableVersion } = verifyTransaction(await stakeOf(), WISH, { table })
  assert.deepEqual({ ok, tableVersion }, { ok: false, tableVersion: 9 })
})
