import type { ChainReader, Pool } from '../../chain-reader.ts'
import { decode, toEpoch, toId } from '../../layouts/decode.ts'
import { stakedSui } from '../../layouts/native-layouts.ts'
import { openRewardMeter } from '../../pools/measured-rewards.ts'
import { type PastCommissions, presentCommissions } from '../../pools/past-commissions.ts'
import { oneStepCommands } from '../../staking-commands.ts'
import type { NetworkConstants } from '../networks.ts'
import { rateTable, readOtherPools, toPool } from './pools.ts'
import { toSnapshot } from './snapshot.ts'
import { readSystem } from './system.ts'

/** Sui itself: one answer contains the whole validator set, and unstaking takes one step. */
export function native(
  constants: NetworkConstants,
  commissionsFrom: PastCommissions = presentCommissions,
): ChainReader {
  const lastRewards = openRewardMeter(rateTable, commissionsFrom)
  return {
    stakedTokenType: constants.stakedTokenType,
    rateTable,

    async readState(talk) {
      const system = await readSystem(talk)
      const pools = system.active.map(toPool)
      const perEpoch = await lastRewards(talk, pools, system.epoch)
      return { snapshot: toSnapshot(constants, talk, system, perEpoch), pools }
    },

    async readPools(talk, poolIds) {
      const system = await readSystem(talk)
      const active = system.active.map(
        (validator) => [toId(validator.pool.id, 'the id of a pool'), toPool(validator)] as const,
      )
      const pools = new Map<string, Pool>(active)
      const others = poolIds.filter((poolId) => !pools.has(poolId))
      for (const [poolId, pool] of await readOtherPools(talk, system, others)) pools.set(poolId, pool)
      return { epoch: system.epoch, pools }
    },

    toToken({ contents, owner }) {
      const token = decode(stakedSui, contents, 'a staked token')
      return {
        id: token.id,
        owner,
        poolId: token.pool_id,
        principal: token.principal.value,
        activationEpoch: toEpoch(token.stake_activation_epoch),
        withdrawEpoch: undefined,
      }
    },

    commandsFor: oneStepCommands({
      stake: 'sui_system::request_add_stake_non_entry',
      withdraw: 'sui_system::request_withdraw_stake',
      split: 'staking_pool::split',
      join: 'staking_pool::join_staked_sui',
    }),
  }
}
