import type { ChainReader, ChainState, Pool } from '../../chain-reader.ts'
import type { Conversation } from '../../connection/conversation.ts'
import type { ChainObject } from '../../connection/messages.ts'
import { check, present } from '../../layouts/decode.ts'
import type { NetworkConstants } from '../networks.ts'
import { openDescriptions } from '../self-descriptions.ts'
import type { PoolNetwork, PoolReading, PoolSystem } from './pool-system.ts'
import { toSnapshot } from './snapshot.ts'

/** A pool has about two thousand bytes. */
const POOLS_PER_CALL = 200

export function readPoolNetwork<System extends PoolSystem>(
  constants: NetworkConstants,
  network: PoolNetwork<System>,
): ChainReader {
  const descriptions = openDescriptions(constants)
  return {
    stakedTokenType: constants.stakedTokenType,
    rateTable: network.rateTable,
    toToken: network.toToken,
    commandsFor: network.commandsFor,
    readState: (talk) => readState(talk, constants, network, descriptions),
    async readPools(talk, poolIds) {
      const { epoch } = await network.readSystem(talk)
      const found = await talk.objects(poolIds)
      const existing = found.filter((object) => object !== undefined)
      const pools = existing.map((object) => toPool(toPoolReading(network.decodePool, object), epoch))
      return { epoch, pools: new Map(pools.map((pool) => [pool.validatorId, pool])) }
    },
  }
}

async function readState<System extends PoolSystem>(
  talk: Conversation,
  constants: NetworkConstants,
  network: PoolNetwork<System>,
  descriptions: ReturnType<typeof openDescriptions>,
): Promise<ChainState> {
  const system = await network.readSystem(talk)
  const [waiting, ids] = await Promise.all([
    network.readWaitingSet(talk, system),
    talk.childrenOf(system.poolsTable),
  ])
  const found = await talk.objects(ids, POOLS_PER_CALL)
  const readings = found.map((object) => toPoolReading(network.decodePool, present(object, 'a validator')))
  checkComplete(system, readings)
  const pools = readings.map((reading) => toPool(reading, system.epoch))
  const committee = new Set(system.committee)
  const members = pools.filter((pool) => committee.has(pool.validatorId))
  // Recorded rates never change and descriptions are not critical, so both may be read in parallel with the second
  // read of the system.
  const [perEpoch, said, after] = await Promise.all([
    network.rewardsPerEpoch(talk, system, members),
    descriptions.read(talk, system.epoch, readings),
    network.readSystem(talk),
  ])
  // The answers come from different checkpoints, so the read is valid only if the deciding values are the same
  // before and after it.
  check(fingerprint(after) === fingerprint(system), 'the epoch changed during the read')
  const rewards = { perEpoch, shape: network.rewardShape(system) }
  return { snapshot: toSnapshot({ constants, talk, system, waiting, readings, rewards, said }), pools }
}

function toPoolReading(decodePool: (contents: Uint8Array) => PoolReading, object: ChainObject): PoolReading {
  const pool = decodePool(object.contents)
  check(pool.validatorId === object.id, `pool ${object.id} says that it is ${pool.validatorId}`)
  return pool
}

function checkComplete(system: PoolSystem, readings: readonly PoolReading[]): void {
  const ids = new Set(readings.map((reading) => reading.validatorId))
  const { size } = system.poolsTable
  check(
    ids.size === readings.length && ids.size === size,
    `${size} validators expected, ${readings.length} listed`,
  )
  check(
    [...system.committee, ...(system.nextCommittee ?? [])].every((id) => ids.has(id)),
    'the committee has a member that is no validator',
  )
  check(
    readings.every((reading) => reading.latestEpoch <= system.epoch),
    'a validator is ahead of the epoch',
  )
  check(system.committee.length > 0, 'the committee is empty')
  check(system.durationMs > 0, 'an epoch takes no time')
}

function fingerprint(system: PoolSystem): string {
  const { epoch, packageId, initialSharedVersion, committee, nextCommittee } = system
  return JSON.stringify([epoch, packageId, initialSharedVersion, committee, nextCommittee ?? null])
}

function toPool(reading: PoolReading, epoch: number): Pool {
  const { validatorId, ratesTableId, lastEpoch, rewardsPool, commissionBps } = reading
  const started = reading.phase !== 'pre-active' && reading.activationEpoch <= epoch
  const activationEpoch = started ? reading.activationEpoch : undefined
  return { validatorId, ratesTableId, lastEpoch, rewardsPool, commissionBps, activationEpoch }
}
