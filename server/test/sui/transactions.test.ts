import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { type Command, toTransaction } from '@stakewright/client/sui'
import type { SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import type { StakingAction } from '#ports/chain/staking-chain.ts'
import { OWNER, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { builtOffline, callsIn, expectedCall, jsonOf, transfersIn } from '../support/sdk-transactions.ts'
import { openTestChain, soon } from './opened-chain.ts'

const AMOUNT = 5_000_000_000n

const ACTIONS: Record<string, StakingAction> = {
  stake: { kind: 'stake', validatorId: VALIDATORS.steady, amount: AMOUNT },
  'unstake all': { kind: 'unstake', stakedTokenId: TOKENS.earning, amount: undefined },
  'unstake a part': { kind: 'unstake', stakedTokenId: TOKENS.earning, amount: AMOUNT },
  'withdraw all': { kind: 'withdraw', stakedTokenId: TOKENS.withdrawing, amount: undefined },
  'withdraw a part': { kind: 'withdraw', stakedTokenId: TOKENS.withdrawing, amount: AMOUNT },
}

async function commandsOf(network: SuiNetworkName, action: StakingAction): Promise<readonly Command[]> {
  await using opened = await openTestChain(network)
  return opened.chain.commandsFor(await opened.chain.readSnapshot(soon()), action)
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  describe(`${network}: the real SDK accepts the commands`, () => {
    for (const [name, action] of Object.entries(ACTIONS)) {
      test(`${name}: serialization to JSON and back is lossless`, async () => {
        const commands = await commandsOf(network, action)
        const json = await jsonOf(toTransaction({ commands }, { sender: OWNER }))
        assert.deepEqual(await jsonOf(Transaction.from(JSON.stringify(json))), json)
      })

      test(`${name}: builds offline to bytes that decode to the same calls`, async () => {
        const commands = await commandsOf(network, action)
        const decoded = await builtOffline(commands, OWNER)
        assert.equal(decoded.getData().sender, OWNER)
        assert.deepEqual(callsIn(decoded), commands.flatMap(expectedCall))
        assert.equal(transfersIn(decoded), commands.filter(({ kind }) => kind === 'transferToSender').length)
      })
    }
  })
}

test('Ika: unstaking a part splits it off, requests its withdrawal, and transfers the part to the sender', async () => {
  const commands = await commandsOf('ika', { kind: 'unstake', stakedTokenId: TOKENS.earning, amount: AMOUNT })
  assert.deepEqual(
    commands.map((command) =>
      command.kind === 'moveCall' ? command.target.split('::').slice(1).join('::') : command.kind,
    ),
    ['staked_ika::split', 'system::request_withdraw_stake', 'transferToSender'],
  )
  assert.deepEqual(commands.at(-1), { kind: 'transferToSender', objects: [{ kind: 'result', of: 'part' }] })
})

test('Sui: unstaking is withdrawing, in one call that pays the sender', async () => {
  const unstake = await commandsOf('sui', {
    kind: 'unstake',
    stakedTokenId: TOKENS.earning,
    amount: undefined,
  })
  const withdraw = await commandsOf('sui', {
    kind: 'withdraw',
    stakedTokenId: TOKENS.earning,
    amount: undefined,
  })
  assert.deepEqual(unstake, withdraw)
  assert.deepEqual(
    unstake.map((command) => command.kind === 'moveCall' && command.target),
    ['0x3::sui_system::request_withdraw_stake'],
  )
})

test('a result that no earlier command has made is refused', () => {
  const commands: readonly Command[] = [
    { kind: 'transferToSender', objects: [{ kind: 'result', of: 'nothing' }] },
  ]
  assert.throws(
    () => toTransaction({ commands }, { sender: OWNER }),
    /No command before has the result nothing/,
  )
})

test('a pure value is refused where an object is needed', () => {
  const commands: readonly Command[] = [
    { kind: 'transferToSender', objects: [{ kind: 'pure', type: 'u64', value: '1' }] },
  ]
  assert.throws(() => toTransaction({ commands }, { sender: OWNER }), /as an object/)
})
