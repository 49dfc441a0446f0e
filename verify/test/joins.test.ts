import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { BadWish, PINS, verifyTransaction } from '../src/index.ts'
import { DIGEST, SENDER, TOKENS, withGas } from './support/honest.ts'

const [, , FIRST, SECOND, THIRD] = TOKENS
const { packages, system, calls } = PINS.networks['ika'] ?? assert.fail()
const WISH = { network: 'ika', sender: SENDER }
const JOIN = { ...WISH, action: 'join', stakedTokenIds: [FIRST, SECOND] }

type Build = ReturnType<typeof toolsOf>

function toolsOf(transaction: Transaction) {
  const token = (objectId: string) => transaction.objectRef({ objectId, version: '7', digest: DIGEST })
  const call = (name: string | undefined, ...args: Parameters<Transaction['object']>[0][]) =>
    transaction.moveCall({
      target: `${packages[0]}::${name}`,
      arguments: args.map((argument) => transaction.object(argument)),
    })
  const state = () =>
    transaction.sharedObjectRef({
      objectId: system.objectId,
      initialSharedVersion: system.initialSharedVersion ?? '',
      mutable: true,
    })
  const join = (into: string, other: string) => call(calls.join, token(into), token(other))
  return { transaction, token, call, state, join }
}

async function rulesOf(wish: unknown, make: (build: Build) => void): Promise<readonly string[]> {
  const transaction = withGas(new Transaction())
  transaction.setSender(SENDER)
  make(toolsOf(transaction))
  const { failures } = verifyTransaction(toBase64(await transaction.build()), wish)
  return failures.map(({ rule }) => rule)
}

test('a join is accepted for exactly the wished tokens in the wished order', async () => {
  const honest = ({ join }: Build) => void join(FIRST, SECOND)
  assert.deepEqual(await rulesOf(JOIN, honest), [])
  assert.deepEqual(await rulesOf({ ...JOIN, stakedTokenIds: [SECOND, FIRST] }, honest), ['effects'])
  assert.deepEqual(await rulesOf({ ...JOIN, stakedTokenIds: [FIRST, SECOND, THIRD] }, honest), ['effects'])
  assert.deepEqual(await rulesOf({ ...WISH, action: 'withdraw', stakedTokenId: FIRST }, honest), ['effects'])
  const three = ({ join }: Build) => [join(FIRST, SECOND), join(FIRST, THIRD)]
  assert.deepEqual(await rulesOf({ ...JOIN, stakedTokenIds: [FIRST, SECOND, THIRD] }, three), [])
  assert.deepEqual(await rulesOf(JOIN, three), ['effects'])
})

test('a transaction that uses a token of a join for anything else, before or after it, is refused', async () => {
  const others: readonly ((build: Build) => void)[] = [
    ({ call, token, state }) => void call(calls.unstake, state(), token(FIRST)),
    ({ call, token, state }) => void call(calls.unstake, state(), token(SECOND)),
    ({ transaction, call, token, state }) =>
      transaction.transferObjects([call(calls.withdraw, state(), token(FIRST))], SENDER),
    ({ transaction, token }) => transaction.transferObjects([token(FIRST)], SENDER),
    ({ transaction, call, token }) => {
      const part = transaction.moveCall({
        target: `${packages[0]}::${calls.split}`,
        arguments: [token(FIRST), transaction.pure.u64(1_000_000_000)],
      })
      call(calls.join, token(SECOND), part)
    },
    ({ join }) => void join(FIRST, FIRST),
    ({ join }) => void join(THIRD, FIRST),
    ({ join }) => void join(SECOND, FIRST),
  ]
  for (const [at, other] of others.entries()) {
    for (const isFirst of [true, false]) {
      const rules = await rulesOf(JOIN, (build) => {
        if (isFirst) other(build)
        build.join(FIRST, SECOND)
        if (!isFirst) other(build)
      })
      assert.notDeepEqual(rules, [], `${at}, ${isFirst ? 'before' : 'after'}`)
    }
  }
})

test('a join wish with missing, extra or duplicate values is refused', () => {
  for (const wrong of [
    { stakedTokenIds: [FIRST] },
    { stakedTokenIds: [FIRST, FIRST] },
    { stakedTokenIds: FIRST },
    { stakedTokenIds: [FIRST, 'x'] },
    { stakedTokenIds: undefined },
    { amount: '1' },
    { stakedTokenId: FIRST },
    { validator: FIRST },
  ])
    assert.throws(() => verifyTransaction({}, { ...JOIN, ...wrong }), BadWish, JSON.stringify(wrong))
})

test('a table without the join call accepts no join', async () => {
  const { join: _, ...before } = calls
  const ika = { ...(PINS.networks['ika'] ?? assert.fail()), calls: before }
  const transaction = withGas(new Transaction())
  transaction.setSender(SENDER)
  toolsOf(transaction).join(FIRST, SECOND)
  const { failures } = verifyTransaction(toBase64(await transaction.build()), JOIN, {
    table: { version: 2, networks: { ika } },
  })
  assert.deepEqual(
    failures.map(({ rule }) => rule),
    ['pattern'],
  )
})
