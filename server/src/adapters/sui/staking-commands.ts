import type { ChainSnapshot, Command, CommandArgument, StakingAction } from '#ports/chain/staking-chain.ts'

/** `module::function` of each call, within the package of the snapshot. */
type StakingCalls = {
  readonly stake: string
  readonly unstake: string
  readonly withdraw: string
  readonly split: string
  readonly join: string
}

const result = (of: string): CommandArgument => ({ kind: 'result', of })
const transfer = (of: string): Command => ({ kind: 'transferToSender', objects: [result(of)] })

function systemOf({ system }: ChainSnapshot): CommandArgument {
  const { objectId, initialSharedVersion } = system
  return { kind: 'sharedObject', objectId, initialSharedVersion, mutable: true }
}

function call(snapshot: ChainSnapshot, id: string, name: string, args: readonly CommandArgument[]): Command {
  return {
    kind: 'moveCall',
    id,
    target: `${snapshot.system.packageId}::${name}`,
    typeArguments: [],
    arguments: args,
  }
}

function stakeCommands(
  snapshot: ChainSnapshot,
  name: string,
  action: Extract<StakingAction, { kind: 'stake' }>,
  validatorType: 'id' | 'address',
): readonly Command[] {
  const validator: CommandArgument = { kind: 'pure', type: validatorType, value: action.validatorId }
  return [
    { kind: 'coin', id: 'coin', coinType: snapshot.token.coinType, amount: String(action.amount) },
    call(snapshot, 'staked', name, [systemOf(snapshot), result('coin'), validator]),
    transfer('staked'),
  ]
}

/** The token itself, or a part split off first, because the calls take whole tokens, not amounts. */
function tokenOf(
  snapshot: ChainSnapshot,
  split: string,
  action: Extract<StakingAction, { kind: 'unstake' | 'withdraw' }>,
): { readonly before: readonly Command[]; readonly token: CommandArgument } {
  const token: CommandArgument = { kind: 'ownedObject', objectId: action.stakedTokenId }
  if (action.amount === undefined) return { before: [], token }
  const amount: CommandArgument = { kind: 'pure', type: 'u64', value: String(action.amount) }
  return { before: [call(snapshot, 'part', split, [token, amount])], token: result('part') }
}

/** Joins each further token into the first. These calls do not take the system object. */
const joinCommands = (
  snapshot: ChainSnapshot,
  name: string,
  { stakedTokenIds: [first = '', ...others] }: Extract<StakingAction, { kind: 'join' }>,
): readonly Command[] =>
  others.map((other, at) =>
    call(snapshot, `joined${at + 1}`, name, [
      { kind: 'ownedObject', objectId: first },
      { kind: 'ownedObject', objectId: other },
    ]),
  )

/** Ika and Walrus: unstaking marks the token, withdrawing takes it and gives a coin. */
export function twoStepCommands(calls: StakingCalls) {
  return (snapshot: ChainSnapshot, action: StakingAction): readonly Command[] => {
    if (action.kind === 'stake') return stakeCommands(snapshot, calls.stake, action, 'id')
    if (action.kind === 'join') return joinCommands(snapshot, calls.join, action)
    const { before, token } = tokenOf(snapshot, calls.split, action)
    const args = [systemOf(snapshot), token]
    if (action.kind === 'withdraw') {
      return [...before, call(snapshot, 'paid', calls.withdraw, args), transfer('paid')]
    }
    const request = call(snapshot, 'request', calls.unstake, args)
    return before.length === 0 ? [request] : [...before, request, transfer('part')]
  }
}

/** Sui: unstaking is withdrawing, and the call itself sends the coin to the sender. */
export function oneStepCommands(calls: Omit<StakingCalls, 'unstake'>) {
  return (snapshot: ChainSnapshot, action: StakingAction): readonly Command[] => {
    if (action.kind === 'stake') return stakeCommands(snapshot, calls.stake, action, 'address')
    if (action.kind === 'join') return joinCommands(snapshot, calls.join, action)
    const { before, token } = tokenOf(snapshot, calls.split, action)
    return [...before, call(snapshot, 'request', calls.withdraw, [systemOf(snapshot), token])]
  }
}
