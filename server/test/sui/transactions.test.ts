import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { normalizeStructTag, normalizeSuiAddress, toBase64 } from '@mysten/sui/utils'
import { type Command, type CommandArgument, toTransaction } from '@stakewright/client/sui'
import type { SuiNetworkName } from '#adapters/sui/networks.ts'
import type { StakingAction } from '#ports/staking-chain.ts'
import { OWNER, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'
import { openTestChain, soon } from './opened-chain.ts'

const DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'
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
  describe(`${network}: the real SDK takes the commands`, () => {
    for (const [name, action] of Object.entries(ACTIONS)) {
      test(`${name}: serialises, and comes back the same`, async () => {
        const commands = await commandsOf(network, action)
        const transaction = toTransaction({ commands }, { sender: OWNER })
        const json = await transaction.toJSON({ supportedIntents: ['CoinWithBalance'] })
        const again = await Transaction.from(json).toJSON({ supportedIntents: ['CoinWithBalance'] })
        assert.deepEqual(JSON.parse(again), JSON.parse(json))
      })

      test(`${name}: builds offline to bytes that decode to the same calls`, async () => {
        const commands = (await commandsOf(network, action)).map(withFullReferences)
        const transaction = toTransaction({ commands }, { sender: OWNER })
        transaction.setGasPrice(1_000)
        transaction.setGasBudget(50_000_000)
        transaction.setGasPayment([{ objectId: idOf(0x6a5), version: '3', digest: DIGEST }])
        const bytes = await transaction.build({ assumeSufficientAddressBalances: true })
        const decoded = Transaction.from(bytes)
        assert.equal(decoded.getData().sender, OWNER)
        assert.deepEqual(callsIn(decoded), commands.flatMap(expectedCall))
        assert.equal(transfersIn(decoded), commands.filter(({ kind }) => kind === 'transferToSender').length)
      })
    }
  })
}

test('Ika: unstaking a part splits it off, requests it, and gives the part back to its owner', async () => {
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

test('a result that no command before has made is refused', () => {
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

function withFullReferences(command: Command): Command {
  if (command.kind !== 'moveCall') return command
  return {
    ...command,
    arguments: command.arguments.map((argument) =>
      argument.kind === 'ownedObject' ? { ...argument, version: '7', digest: DIGEST } : argument,
    ),
  }
}

const PURE = {
  u64: (value: string) => bcs.u64().serialize(value).toBytes(),
  id: (value: string) => bcs.Address.serialize(value).toBytes(),
  address: (value: string) => bcs.Address.serialize(value).toBytes(),
}

/** The call as it must be found in the bytes; what a result refers to is left to the SDK's numbering. */
function expectedCall(command: Command): readonly object[] {
  if (command.kind !== 'moveCall') return []
  const [packageId = '', ...names] = command.target.split('::')
  const target = [normalizeSuiAddress(packageId), ...names].join('::')
  return [
    { target, typeArguments: [...command.typeArguments], arguments: command.arguments.map(expectedArgument) },
  ]
}

function expectedArgument(argument: CommandArgument): unknown {
  switch (argument.kind) {
    case 'pure':
      return { pure: toBase64(PURE[argument.type](argument.value)) }
    case 'result':
      return 'result'
    case 'sharedObject':
      return {
        shared: normalizeSuiAddress(argument.objectId),
        version: argument.initialSharedVersion,
        mutable: true,
      }
    case 'ownedObject':
      return { owned: argument.objectId }
  }
}

function callsIn(transaction: Transaction): readonly object[] {
  const { commands, inputs } = transaction.getData()
  return commands.flatMap(({ MoveCall: call }) => {
    // The SDK adds calls of the framework to make the coin; those are not ours.
    if (!call || call.package === normalizeSuiAddress('0x2')) return []
    return [
      {
        target: `${call.package}::${call.module}::${call.function}`,
        typeArguments: call.typeArguments.map(normalizeStructTag),
        arguments: call.arguments.map((argument) =>
          argument.$kind === 'Input' ? decodedInput(inputs[argument.Input]) : 'result',
        ),
      },
    ]
  })
}

function decodedInput(input: ReturnType<Transaction['getData']>['inputs'][number] | undefined): unknown {
  const shared = input?.Object?.SharedObject
  if (shared) {
    const { objectId, initialSharedVersion, mutable } = shared
    return { shared: objectId, version: String(initialSharedVersion), mutable }
  }
  if (input?.Object?.ImmOrOwnedObject) return { owned: input.Object.ImmOrOwnedObject.objectId }
  return { pure: input?.Pure?.bytes }
}

const transfersIn = (transaction: Transaction): number =>
  transaction.getData().commands.filter((command) => command.TransferObjects).length
