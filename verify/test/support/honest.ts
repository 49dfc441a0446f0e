import type { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { type Command, type CommandArgument, toTransaction } from '@stakewright/client/sui'
import { commandsFor as sandboxCommands } from '../../../server/src/adapters/sandbox/transactions/commands.ts'
import { ika } from '../../../server/src/adapters/sui/networks/ika.ts'
import { native } from '../../../server/src/adapters/sui/networks/native/native.ts'
import { NETWORKS as CONSTANTS } from '../../../server/src/adapters/sui/networks/networks.ts'
import { walrus } from '../../../server/src/adapters/sui/networks/walrus.ts'
import { toSdkTransaction } from '../../../server/src/domain/staking/transactions/sdk-transaction.ts'
import type { ChainSnapshot, StakingAction } from '../../../server/src/ports/chain/staking-chain.ts'
import { PINS } from '../../src/index.ts'

/** Transactions as the service builds them and as the SDK completes them, each with the wish that it fulfils. */
export type Honest = {
  readonly name: string
  readonly network: string
  readonly wish: Readonly<Record<string, unknown>>
  /** Base64 of the bytes, or the SDK's JSON. */
  readonly transaction: string | object
}

export const SENDER = `0x${'a1'.repeat(32)}`
export const VALIDATORS = [`0x${'b1'.repeat(32)}`, `0x${'b2'.repeat(32)}`] as const
const token = (byte: string) => `0x${byte.repeat(32)}`
/** The last three are alike, so that they can be joined. */
export const TOKENS = [token('c1'), token('c2'), token('c3'), token('c4'), token('c5')] as const
export const COINS = [`0x${'d1'.repeat(32)}`, `0x${'d2'.repeat(32)}`] as const
export const GAS_COIN = `0x${'e1'.repeat(32)}`
export const DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'
export const COIN_BALANCE = 4_000_000_000n

const BUILDERS = {
  ika: ika(CONSTANTS.ika).commandsFor,
  'ika-testnet': ika(CONSTANTS['ika-testnet']).commandsFor,
  walrus: walrus(CONSTANTS.walrus).commandsFor,
  'walrus-testnet': walrus(CONSTANTS['walrus-testnet']).commandsFor,
  sui: native(CONSTANTS.sui).commandsFor,
  'sui-testnet': native(CONSTANTS['sui-testnet']).commandsFor,
  sandbox: sandboxCommands,
} as const
type Network = keyof typeof BUILDERS
export const NETWORKS = Object.keys(BUILDERS) as readonly Network[]

const stake = (validatorId: string, amount: bigint): StakingAction => ({ kind: 'stake', validatorId, amount })
const [FIRST, SECOND] = VALIDATORS
const [TOKEN, OTHER_TOKEN, ...ALIKE] = TOKENS

const whole = (kind: 'unstake' | 'withdraw', stakedTokenId: string): StakingAction => ({
  kind,
  stakedTokenId,
  amount: undefined,
})
const join = (...stakedTokenIds: readonly string[]): StakingAction => ({ kind: 'join', stakedTokenIds })

const part = (kind: 'unstake' | 'withdraw'): StakingAction => ({
  kind,
  stakedTokenId: TOKEN,
  amount: 2_000_000_000n,
})

const PLANS: Readonly<Record<string, readonly StakingAction[]>> = {
  stake: [stake(FIRST, 5_000_000_000n)],
  unstake: [whole('unstake', TOKEN)],
  'unstake a part': [part('unstake')],
  withdraw: [whole('withdraw', TOKEN)],
  'withdraw a part': [part('withdraw')],
  join: [join(...ALIKE)],
  'two stakes': [stake(FIRST, 5_000_000_000n), stake(SECOND, 1_500_000_000n)],
  everything: [
    stake(SECOND, 1_500_000_000n),
    part('unstake'),
    whole('withdraw', OTHER_TOKEN),
    join(ALIKE[1], ALIKE[0]),
    stake(FIRST, 1_000_000_000n),
  ],
}

/** Every plan on every network, as JSON and as bytes with each way to find the coins. */
export async function honestTransactions(): Promise<readonly Honest[]> {
  const made = NETWORKS.flatMap((network) =>
    Object.entries(PLANS).map(async ([plan, actions]) => {
      const commands = commandsOf(network, actions)
      const wish = wishOf(network, actions)
      const forms = { json: toSdkTransaction(commands, SENDER), ...(await bytesOf(commands, actions)) }
      return Object.entries(forms).map(([form, transaction]) => ({
        name: `${network}: ${plan}, ${form}`,
        network,
        wish,
        transaction,
      }))
    }),
  )
  return (await Promise.all(made)).flat()
}

/** The commands of several actions one after the other, with unique names, as the service builds a batch. */
export function commandsOf(network: Network, actions: readonly StakingAction[]): readonly Command[] {
  return actions.flatMap((action, at) =>
    BUILDERS[network](toSnapshot(network), action).map((command) => renamed(command, at)),
  )
}

export function wishOf(network: string, actions: readonly StakingAction[]) {
  const items = actions.map(wishedItem)
  const [only] = items
  return { network, sender: SENDER, ...(items.length === 1 ? only : { items }) }
}

function wishedItem(action: StakingAction) {
  if (action.kind === 'stake')
    return { action: 'stake', validator: action.validatorId, amount: String(action.amount) }
  if (action.kind === 'join') return { action: 'join', stakedTokenIds: action.stakedTokenIds }
  const { kind, stakedTokenId, amount } = action
  return { action: kind, stakedTokenId, ...(amount !== undefined && { amount: String(amount) }) }
}

/** The part of a snapshot that the builders read. */
function toSnapshot(network: Network): ChainSnapshot {
  const pins = PINS.networks[network]
  const { objectId, initialSharedVersion = '777' } = pins?.system ?? { objectId: '' }
  const system = { objectId, initialSharedVersion, packageId: pins?.packages[0] }
  return { system, token: { coinType: pins?.coinType } } as unknown as ChainSnapshot
}

function renamed(command: Command, at: number): Command {
  const rename = (argument: CommandArgument): CommandArgument =>
    argument.kind === 'result' ? { kind: 'result', of: `${argument.of}${at}` } : argument
  if (command.kind === 'coin') return { ...command, id: `${command.id}${at}` }
  if (command.kind === 'transferToSender') return { ...command, objects: command.objects.map(rename) }
  return { ...command, id: `${command.id}${at}`, arguments: command.arguments.map(rename) }
}

async function bytesOf(commands: readonly Command[], actions: readonly StakingAction[]) {
  const references = Object.fromEntries(TOKENS.map((id) => [id, { version: '7', digest: DIGEST }]))
  const build = async (options: Parameters<Transaction['build']>[0]) => {
    const transaction = withGas(toTransaction({ commands }, { sender: SENDER, references }))
    return toBase64(await transaction.build(options))
  }
  if (!actions.some(({ kind }) => kind === 'stake')) return { bytes: await build({}) }
  return {
    'bytes, address balance': await build({ assumeSufficientAddressBalances: true }),
    'bytes, coin objects': await build({ client: toClient(0n) }),
    'bytes, both': await build({ client: toClient(1_000_000_000n) }),
  }
}

export function withGas(transaction: Transaction): Transaction {
  transaction.setGasPrice(1_000)
  transaction.setGasBudget(50_000_000)
  transaction.setGasPayment([{ objectId: GAS_COIN, version: '3', digest: DIGEST }])
  transaction.setExpiration({ Epoch: 1_000 })
  return transaction
}

/** A node that knows two coins of the sender; nothing else is asked when gas and versions are given. */
function toClient(addressBalance: bigint) {
  const coins = COINS.map((objectId) => ({
    objectId,
    version: '5',
    digest: DIGEST,
    balance: String(COIN_BALANCE),
  }))
  const coinBalance = COIN_BALANCE * BigInt(coins.length)
  const balance = {
    balance: String(coinBalance + addressBalance),
    coinBalance: String(coinBalance),
    addressBalance: String(addressBalance),
  }
  const core = {
    getBalance: async () => ({ balance }),
    listCoins: async () => ({ objects: coins, hasNextPage: false, cursor: null }),
    resolveTransactionPlugin: () => async (_data: unknown, _options: unknown, next: () => Promise<void>) =>
      next(),
  }
  return { core } as unknown as NonNullable<NonNullable<Parameters<Transaction['build']>[0]>['client']>
}
