import type { ChainSnapshot, Command, CommandArgument, StakingAction } from '#ports/chain/staking-chain.ts'
import { idFrom } from '../world/world.ts'

/** Ids of the sandbox's contract: fixed, and used by no real chain. */
export const PACKAGE_ID = idFrom('sandbox-package', 1)
export const SYSTEM_ID = idFrom('sandbox-system', 1)
export const SYSTEM_VERSION = '1'
export const COIN_TYPE = `${PACKAGE_ID}::sbx::SBX`
export const STAKED_TOKEN_TYPE = `${PACKAGE_ID}::staked_token::StakedToken`

/** The commands of one action; new objects are transferred to the sender at the end. */
export function commandsFor(snapshot: ChainSnapshot, action: StakingAction): readonly Command[] {
  const { packageId } = snapshot.system
  const system = systemOf(snapshot)
  const call = (id: string, name: string, ...args: CommandArgument[]): Command => ({
    kind: 'moveCall',
    id,
    target: `${packageId}::${name}`,
    typeArguments: [],
    arguments: args,
  })
  if (action.kind === 'stake') {
    const amount = `${action.amount}`
    const validator = { kind: 'pure', type: 'id', value: action.validatorId } as const
    return [
      { kind: 'coin', id: 'coin', coinType: snapshot.token.coinType, amount },
      call('staked', 'system::request_add_stake', system, resultOf('coin'), validator),
      handOver('staked'),
    ]
  }
  if (action.kind === 'join') {
    const [first, ...others] = action.stakedTokenIds.map((objectId) => owned(objectId))
    return first ? others.map((other, at) => call(`joined${at + 1}`, 'staked_token::join', first, other)) : []
  }
  const whole = owned(action.stakedTokenId)
  const split =
    action.amount === undefined
      ? []
      : [call('part', 'staked_token::split', whole, { kind: 'pure', type: 'u64', value: `${action.amount}` })]
  const token = action.amount === undefined ? whole : resultOf('part')
  if (action.kind === 'withdraw') {
    return [...split, call('coin', 'system::withdraw_stake', system, token), handOver('coin')]
  }
  const request = call('request', 'system::request_withdraw_stake', system, token)
  return action.amount === undefined ? [request] : [...split, request, handOver('part')]
}

const systemOf = ({ system }: ChainSnapshot): CommandArgument => ({
  kind: 'sharedObject',
  objectId: system.objectId,
  initialSharedVersion: system.initialSharedVersion,
  mutable: true,
})

const owned = (objectId: string): CommandArgument => ({ kind: 'ownedObject', objectId })
const resultOf = (of: string): CommandArgument => ({ kind: 'result', of })
const handOver = (of: string): Command => ({ kind: 'transferToSender', objects: [resultOf(of)] })
