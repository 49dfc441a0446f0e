import type { Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { BuiltTransaction, buildTransactions } from '#domain/staking/build-transaction.ts'
import { toSdkTransaction } from '#domain/staking/sdk-transaction.ts'
import type { Endpoints } from '../serve-endpoints.ts'
import { toIso } from './public-shapes.ts'

type Commands = Reply<'buildStake'>['commands']

/** The domain's commands are the contract's, but for being read-only; the reply is only read from here on. */
const toCommands = (commands: BuiltTransaction['commands']): Commands => commands as Commands

type Needs = { readonly build: ReturnType<typeof buildTransactions>; readonly network: CurrentNetwork }

/** Call parameters that the caller signs and submits. Nothing is signed or submitted here. */
export function transactionEndpoints({ build, network }: Needs) {
  const toReply = (built: BuiltTransaction, sender: string | undefined): Reply<'buildStake'> => {
    const main = built.commands.findLast((command) => command.kind === 'moveCall')
    return {
      action: built.action,
      target: main?.target ?? '',
      arguments: [...(main?.arguments ?? [])],
      typeArguments: [...(main?.typeArguments ?? [])],
      commands: toCommands(built.commands),
      ...(sender && { transaction: toSdkTransaction(built.commands, sender) }),
      summary: built.summary,
      requiresEpochWait: built.requiresEpochWait,
      availableAtEpoch: built.availableAtEpoch,
      availableAt: toIso(built.availableAt),
      epoch: built.snapshot.epoch.number,
      dataAgeSeconds: network.ageSeconds(network.read()),
      expiresAt: toIso(built.expiresAt),
    }
  }
  return {
    buildStake: {
      needs: 'fresh data',
      handle: async ({ validatorId, amount, sender }, { inbound }) => {
        const built = await build.stake({ validatorId, amount: BigInt(amount) }, inbound.signal())
        return { reply: toReply(built, sender) }
      },
    },
    buildUnstake: {
      needs: 'fresh data',
      handle: async ({ stakedTokenId, amount, sender }, { inbound }) => {
        const part = amount === undefined ? undefined : BigInt(amount)
        const built = await build.unstake({ stakedTokenId, amount: part }, inbound.signal())
        return { reply: toReply(built, sender) }
      },
    },
    buildWithdraw: {
      needs: 'fresh data',
      handle: async ({ stakedTokenId, sender }, { inbound }) => ({
        reply: toReply(await build.withdraw({ stakedTokenId }, inbound.signal()), sender),
      }),
    },
  } satisfies Endpoints
}
