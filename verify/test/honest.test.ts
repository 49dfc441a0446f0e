import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { PINS, verifyTransaction } from '../src/index.ts'
import { honestTransactions, SENDER, TOKENS, VALIDATORS, withGas } from './support/honest.ts'

test('every transaction of the service is accepted for its wish, on every network and with every source of coins', async () => {
  const all = await honestTransactions()
  assert(all.length >= 100, `${all.length}`)
  for (const { name, transaction, wish } of all) {
    const verdict = verifyTransaction(transaction, wish)
    assert.deepEqual(verdict.failures, [], name)
    assert(verdict.ok, name)
    assert.equal(verdict.digest === null, typeof transaction !== 'string', name)
    assert.equal(verdict.stillOpen.length > 0, typeof transaction !== 'string', name)
  }
})

test('a SUI stake by `request_add_stake`, the call that wallets use, is accepted, too', async () => {
  const transaction = withGas(new Transaction())
  transaction.setSender(SENDER)
  const [coin] = transaction.splitCoins(transaction.gas, [1_000_000_000])
  transaction.moveCall({
    target: '0x3::sui_system::request_add_stake',
    arguments: [
      transaction.sharedObjectRef({ objectId: '0x5', initialSharedVersion: 1, mutable: true }),
      coin,
      transaction.pure.address(VALIDATORS[0]),
    ],
  })
  const wish = {
    network: 'sui',
    sender: SENDER,
    action: 'stake',
    validator: VALIDATORS[0],
    amount: '1000000000',
  }
  const verdict = verifyTransaction(toBase64(await transaction.build()), wish)
  assert.deepEqual(verdict.failures, [])
})

test('an amount of a token without decimals is written without a point', async () => {
  const all = await honestTransactions()
  const found = all.find(({ name }) => name === 'ika: everything, bytes, both')
  const { ika } = PINS.networks
  assert(ika)
  const table = { version: 1, networks: { ika: { ...ika, decimals: 0 } } }
  const wish = { network: 'ika', sender: SENDER, action: 'withdraw', stakedTokenId: TOKENS[1] }
  const { does } = verifyTransaction(found?.transaction, wish, { table })
  assert.match(does[0] ?? '', /^Stakes 1500000000 IKA with/)
})

test('the verdict says in plain words what a transaction does, even if it is refused', async () => {
  const all = await honestTransactions()
  const found = all.find(({ name }) => name === 'ika: everything, bytes, both')
  const wish = { network: 'ika', sender: SENDER, action: 'withdraw', stakedTokenId: TOKENS[1] }
  const { ok, does, failures } = verifyTransaction(found?.transaction, wish)
  assert(!ok)
  assert.deepEqual(does, [
    `Stakes 1.5 IKA with the validator ${VALIDATORS[1]}; the staked token goes to the sender.`,
    `Asks for 2 IKA of ${TOKENS[0]} back; it stays the sender’s, and has to be withdrawn later.`,
    `Pays out the staked token ${TOKENS[1]}, with its rewards, to the sender.`,
    `Joins ${TOKENS[2]} into the staked token ${TOKENS[3]}, which stays the sender’s.`,
    `Stakes 1 IKA with the validator ${VALIDATORS[0]}; the staked token goes to the sender.`,
  ])
  assert.deepEqual(
    failures.map(({ rule }) => rule),
    ['effects', 'effects', 'effects', 'effects', 'effects'],
  )
})
