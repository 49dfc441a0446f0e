import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getNetworkConfig, systemTransactions } from '@ika.xyz/sdk'
import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { fromBase64, toBase64 } from '@mysten/sui/utils'
import { MAINNET_WALRUS_PACKAGE_CONFIG, TESTNET_WALRUS_PACKAGE_CONFIG } from '@mysten/walrus'
import { type Builders, ikaBuilders, walrusBuilders } from '../../test/packages/official-builders.ts'
import { PINS, verifyTransaction } from '../src/index.ts'
import { COINS, DIGEST, SENDER, TOKENS, VALIDATORS, withGas } from './support/honest.ts'

const [TOKEN, OTHER] = TOKENS
const [VALIDATOR] = VALIDATORS
const AMOUNT = 5_000_000_000

const STAKE = { action: 'stake', validator: VALIDATOR, amount: String(AMOUNT) }
const UNSTAKE = { action: 'unstake', stakedTokenId: TOKEN }
const WITHDRAW = { action: 'withdraw', stakedTokenId: TOKEN }
const JOIN = { action: 'join', stakedTokenIds: [TOKEN, OTHER] }

type Make = (tx: Transaction) => unknown
type Result = ReturnType<Transaction['moveCall']>

const owned = (tx: Transaction, objectId: string) => tx.objectRef({ objectId, version: '7', digest: DIGEST })
const split = (tx: Transaction) => tx.splitCoins(owned(tx, COINS[0]), [AMOUNT])[0]
const toSender = (tx: Transaction, result: Result) => tx.transferObjects([result], SENDER)

/** What the builders make is accepted for the wish, and refused with any one of its inputs changed. */
async function isExactly(network: string, wish: object, make: Make): Promise<void> {
  const transaction = withGas(new Transaction())
  transaction.setSender(SENDER)
  make(transaction)
  const json = JSON.parse(await transaction.toJSON())
  const bytes = await transaction.build()
  const whole = { network, sender: SENDER, ...wish }
  const verify = (given: Uint8Array) => verifyTransaction(toBase64(given), whole)
  assert.deepEqual(verify(bytes).failures, [], `${network} ${JSON.stringify(wish)}`)
  assert.deepEqual(verifyTransaction(json, whole).failures, [], `${network} ${JSON.stringify(wish)} as JSON`)
  const changed = eachInputChanged(bytes)
  assert(changed.length > 0)
  for (const { input, bytes: other } of changed)
    assert.equal(verify(other).ok, false, `${network} ${JSON.stringify(wish)} with ${input}`)
}

/** Each input once with another value. Which of the sender's coins is split makes no difference. */
function eachInputChanged(bytes: Uint8Array): readonly { input: string; bytes: Uint8Array }[] {
  const { inputs } = programmable(bcs.TransactionData.parse(bytes))
  return inputs.flatMap((input, at) => {
    const data = bcs.TransactionData.parse(bytes)
    const copy = programmable(data).inputs[at]
    const object = copy?.Object?.SharedObject ?? copy?.Object?.ImmOrOwnedObject
    if (object?.objectId === COINS[0]) return []
    if (copy?.Pure)
      copy.Pure.bytes = toBase64(fromBase64(copy.Pure.bytes).map((byte, i) => (i ? byte : byte ^ 1)))
    else if (object) object.objectId = `0x${'f1'.repeat(32)}`
    else assert.fail(`an input is ${input.$kind}`)
    return [{ input: JSON.stringify(copy), bytes: bcs.TransactionData.serialize(data).toBytes() }]
  })
}

function programmable({ V1 }: ReturnType<typeof bcs.TransactionData.parse>) {
  return V1.kind.ProgrammableTransaction ?? assert.fail('it is programmable')
}

/** Shared by Ika and Walrus, whose calls have the same shape. */
async function everyAction(
  network: string,
  builders: Builders,
  of: { readonly package: string; readonly stake: string; readonly system: (tx: Transaction) => unknown },
): Promise<void> {
  const call = (tx: Transaction, name: string, ...args: readonly unknown[]) =>
    (builders[name] ?? assert.fail(name))({ package: of.package, arguments: args })(tx)
  await isExactly(network, STAKE, (tx) =>
    toSender(tx, call(tx, of.stake, of.system(tx), split(tx), VALIDATOR)),
  )
  await isExactly(network, UNSTAKE, (tx) => call(tx, 'requestWithdrawStake', of.system(tx), owned(tx, TOKEN)))
  await isExactly(network, WITHDRAW, (tx) =>
    toSender(tx, call(tx, 'withdrawStake', of.system(tx), owned(tx, TOKEN))),
  )
}

type IkaFunctions = {
  requestAddStake(config: object, system: unknown, coin: unknown, validator: string, tx: Transaction): Result
  requestWithdrawStake(config: object, system: unknown, token: unknown, tx: Transaction): void
  withdrawStake(config: object, system: unknown, token: unknown, tx: Transaction): Result
}

/** The SDK's types want the token's id, which a node would resolve; its functions accept a whole reference as well. */
const toOffline = (functions: unknown): IkaFunctions => functions as IkaFunctions

const IKA = { ika: 'mainnet', 'ika-testnet': 'testnet' } as const

for (const [network, name] of Object.entries(IKA))
  test(`${network}: transactions built with @ika.xyz/sdk are accepted for exactly their wish`, async () => {
    // The ids come from the SDK, not from the table that they are held against.
    const config = getNetworkConfig(name)
    const { ikaSystemPackage } = config.packages
    const { objectID: objectId, initialSharedVersion } = config.objects.ikaSystemObject
    const system = (tx: Transaction) => tx.sharedObjectRef({ objectId, initialSharedVersion, mutable: true })
    const builders = await ikaBuilders()
    await everyAction(network, builders, { package: ikaSystemPackage, stake: 'requestAddStake', system })
    await isExactly(network, JOIN, (tx) =>
      builders['join']?.({ package: ikaSystemPackage, arguments: [owned(tx, TOKEN), owned(tx, OTHER)] })(tx),
    )
    // The functions that the SDK offers, besides those that it generates.
    const { requestAddStake, requestWithdrawStake, withdrawStake } = toOffline(systemTransactions)
    await isExactly(network, STAKE, (tx) =>
      toSender(tx, requestAddStake(config, system(tx), split(tx), VALIDATOR, tx)),
    )
    await isExactly(network, UNSTAKE, (tx) => requestWithdrawStake(config, system(tx), owned(tx, TOKEN), tx))
    await isExactly(network, WITHDRAW, (tx) =>
      toSender(tx, withdrawStake(config, system(tx), owned(tx, TOKEN), tx)),
    )
  })

const WALRUS = { walrus: MAINNET_WALRUS_PACKAGE_CONFIG, 'walrus-testnet': TESTNET_WALRUS_PACKAGE_CONFIG }

for (const [network, { stakingPoolId }] of Object.entries(WALRUS))
  test(`${network}: transactions built with @mysten/walrus are accepted for exactly their wish`, async () => {
    // The package is not among what the SDK publishes: its client reads it from the staking object. It has no `join`.
    const [walrusPackage = ''] = PINS.networks[network]?.packages ?? []
    const system = (tx: Transaction) =>
      tx.sharedObjectRef({ objectId: stakingPoolId, initialSharedVersion: 777, mutable: true })
    await everyAction(network, await walrusBuilders(), {
      package: walrusPackage,
      stake: 'stakeWithPool',
      system,
    })
  })

/** The SDK has no builders of its own for these; its documentation calls the system package as here. */
for (const network of ['sui', 'sui-testnet'])
  test(`${network}: transactions built with @mysten/sui are accepted for exactly their wish`, async () => {
    const target = (name: string) => `0x3::${name}` as const
    const stakeWith = (tx: Transaction, name: string, coin: Result[0]) =>
      tx.moveCall({
        target: target(`sui_system::${name}`),
        arguments: [tx.object.system({ mutable: true }), coin, tx.pure.address(VALIDATOR)],
      })
    for (const coinOf of [(tx: Transaction) => tx.splitCoins(tx.gas, [AMOUNT])[0], split]) {
      await isExactly(network, STAKE, (tx) => stakeWith(tx, 'request_add_stake', coinOf(tx)))
      await isExactly(network, STAKE, (tx) =>
        toSender(tx, stakeWith(tx, 'request_add_stake_non_entry', coinOf(tx))),
      )
    }
    // Unstaking pays at once there: one call for both wishes.
    for (const wish of [UNSTAKE, WITHDRAW])
      await isExactly(network, wish, (tx) =>
        tx.moveCall({
          target: target('sui_system::request_withdraw_stake'),
          arguments: [tx.object.system({ mutable: true }), owned(tx, TOKEN)],
        }),
      )
    await isExactly(network, JOIN, (tx) =>
      tx.moveCall({
        target: target('staking_pool::join_staked_sui'),
        arguments: [owned(tx, TOKEN), owned(tx, OTHER)],
      }),
    )
  })
