import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions'
import type { Input } from '@stakewright/client'
import { type Builders, ikaBuilders, walrusBuilders } from '../../../test/packages/official-builders.ts'
import { OWNER, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'
import { openChainHolding } from '../support/chain-app.ts'
import { builtOffline, callsIn } from '../support/sdk-transactions.ts'
import { openTestChain, soon } from './opened-chain.ts'

/** Compares transactions of the service with those of the official builders: the same calls with the same data flow. */

type Item = Input<'buildBatch'>['items'][number]

const TOKEN = 1_000_000_000n
const WITHDRAW: Item = { action: 'withdraw', stakedTokenId: TOKENS.withdrawing }
const WHOLE: readonly Item[] = [
  { action: 'stake', validatorId: VALIDATORS.steady, amount: String(5n * TOKEN) },
  { action: 'unstake', stakedTokenId: TOKENS.earning },
  { action: 'stake', validatorId: VALIDATORS.steady, amount: String(7n * TOKEN) },
  WITHDRAW,
]
/** A token that can be joined to `TOKENS.earning`. */
const TWIN = {
  id: idOf(0x299),
  owner: OWNER,
  validatorId: VALIDATORS.steady,
  principal: 40n * TOKEN,
  activationEpoch: 20,
}
/** Unstakes of parts, which are split off first. Only for Ika: Walrus publishes no builders of its staked token. */
const PARTS: readonly Item[] = [
  { action: 'unstake', stakedTokenId: TOKENS.earning, amount: String(30n * TOKEN) },
  { action: 'unstake', stakedTokenId: TWIN.id, amount: String(10n * TOKEN) },
  ...WHOLE.filter(({ action }) => action === 'stake'),
  WITHDRAW,
]
const JOIN: Item = { action: 'join', stakedTokenIds: [TOKENS.earning, TWIN.id] }

/** Placeholder for the package id in the builders' transactions. */
const LOCAL_PACKAGE = idOf(0x10ca1)

const owned = (tx: Transaction, objectId: string) =>
  tx.objectRef({ objectId, version: '7', digest: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi' })

/** Adds the calls of an item with the official builders. */
function add(tx: Transaction, item: Item, builders: Builders, stake: string, system: TransactionArgument) {
  const call = (name: string, ...args: unknown[]) =>
    (builders[name] ?? assert.fail(name))({ package: LOCAL_PACKAGE, arguments: args })(tx)
  if (item.action === 'stake') {
    call(stake, system, tx.splitCoins(tx.gas, [1])[0], item.validatorId)
  } else if (item.action === 'join') {
    const [first = '', ...others] = item.stakedTokenIds
    for (const other of others) call('join', owned(tx, first), owned(tx, other))
  } else {
    const whole = owned(tx, item.stakedTokenId)
    const part = item.action === 'unstake' ? item.amount : undefined
    const token = part === undefined ? whole : call('split', whole, BigInt(part))
    call(item.action === 'unstake' ? 'requestWithdrawStake' : 'withdrawStake', system, token)
  }
}

/** For each argument of each call, the index of the call that made it; undefined: none, such as the coin of a stake. */
function makersIn(transaction: Transaction): readonly (readonly (number | undefined)[])[] {
  const { commands } = transaction.getData()
  const ours = commands.flatMap(({ MoveCall: call }, at) =>
    call && !call.package.endsWith('0000000000002') ? [{ call, at }] : [],
  )
  const placeOf = (command: number | undefined) => {
    const place = ours.findIndex(({ at }) => at === command)
    return place < 0 ? undefined : place
  }
  return ours.map(({ call }) =>
    call.arguments.map((argument) => {
      if (argument.$kind === 'Result') return placeOf(argument.Result)
      return argument.$kind === 'NestedResult' ? placeOf(argument.NestedResult[0]) : undefined
    }),
  )
}

async function assertSameCalls(network: 'ika' | 'walrus', batches: readonly (readonly Item[])[]) {
  const builders = await (network === 'ika' ? ikaBuilders() : walrusBuilders())
  const stake = network === 'ika' ? 'requestAddStake' : 'stakeWithPool'
  await using opened = await openTestChain(network)
  const { system } = await opened.chain.readSnapshot(soon())
  await using app = await openChainHolding(network, [TWIN])
  for (const items of batches) {
    const { commands } = await app.agent.buildBatch({ items: [...items], sender: OWNER })
    const ours = await builtOffline(commands, OWNER)
    const theirs = new Transaction()
    const { objectId, initialSharedVersion, packageId } = system
    for (const item of items)
      add(
        theirs,
        item,
        builders,
        stake,
        theirs.sharedObjectRef({ objectId, initialSharedVersion, mutable: true }),
      )
    assert.deepEqual(
      callsIn(ours),
      JSON.parse(JSON.stringify(callsIn(theirs)).replaceAll(LOCAL_PACKAGE, packageId)),
    )
    assert.deepEqual(makersIn(ours), makersIn(theirs))
    assert(callsIn(theirs).length >= items.length)
  }
}

const alone = (items: readonly Item[]) => items.map((item) => [item])

test('Ika: our transactions have the calls that @ika.xyz/sdk builds: single, in batches, of parts, and joins', async () => {
  await assertSameCalls('ika', [
    ...alone(WHOLE),
    WHOLE,
    ...alone(PARTS),
    PARTS,
    [JOIN],
    [JOIN, ...WHOLE.slice(2)],
  ])
})

test('Walrus: our transactions have the calls that @mysten/walrus builds, single and in batches', async () => {
  await assertSameCalls('walrus', [...alone(WHOLE), WHOLE])
})
