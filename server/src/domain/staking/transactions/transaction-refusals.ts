import type { ChainSnapshot, StakedToken, Validator } from '#ports/chain/staking-chain.ts'
import { call, Fault, type NextCall, wrongField } from '../../../fault.ts'
import { MAX_AMOUNT } from '../../amount.ts'
import { startOfEpoch } from '../epoch-rules.ts'
import type { SetRefusal } from '../set-removal.ts'
import { belowSmallestStake } from '../stake-limits.ts'

/** Refusals to build a transaction. Each names the field, the problem and what to do instead. */

/** The token of a request, and the sender if the request names one. */
type TokenWanted = { readonly token: StakedToken; readonly sender: string | undefined }

/** The next call for the token of the request: the one that can be used now, by the same sender. */
const withToken = (endpoint: 'buildUnstake' | 'buildWithdraw', { token, sender }: TokenWanted): NextCall => ({
  endpoint,
  given: { stakedTokenId: token.id, ...(sender !== undefined && { sender }) },
})

/** The call that lists the owner's tokens; the owner is known only if a sender was given. */
const positionsOf = (owner: string | undefined): NextCall => ({
  endpoint: 'positions',
  given: owner === undefined ? {} : { owner },
})

export const unknownValidator = () =>
  wrongField('validatorId', 'is not the id of a validator', {
    instead: `${call('validators')} lists them`,
    next: { endpoint: 'validators' },
  })

export const takesNoStake = ({ status }: Validator) =>
  wrongField('validatorId', `names a validator that is ${status}: stake there would not earn`, {
    instead: `choose another from ${call('validators')}`,
    next: { endpoint: 'validators' },
  })

export const belowMinimum = ({ token: { minStake } }: ChainSnapshot) => belowSmallestStake(minStake)

export const unknownToken = (sender: string | undefined) =>
  wrongField('stakedTokenId', 'is not the id of a staked token', {
    instead: `${call('positions')} lists them`,
    next: positionsOf(sender),
  })

export const unknownJoined = (at: number, sender: string | undefined) =>
  wrongField(`stakedTokenIds[${at}]`, 'is not the id of a staked token', {
    instead: `${call('positions')} lists them`,
    next: positionsOf(sender),
  })

export const joinedTwice = (at: number) =>
  wrongField(`stakedTokenIds[${at}]`, 'is named before', { instead: 'name each token once' })

export const unlikeTokens = (at: number, what: string, actual: string, first: string) =>
  wrongField(`stakedTokenIds[${at}]`, `has another ${what} than the first: ${actual} instead of ${first}`, {
    instead: 'leave it out, because the chain joins only tokens of one validator, activation epoch and state',
  })

export const joinedTooLarge = () =>
  wrongField('stakedTokenIds', `hold more than ${MAX_AMOUNT} together, the most that a token can`, {
    instead: 'name fewer',
  })

export const stakesTooLarge = () =>
  wrongField('items', `stake more than ${MAX_AMOUNT} together, the most that an amount can be`, {
    instead: 'stake less',
  })

export const notTheOwner = ({ owner }: StakedToken) =>
  wrongField('sender', 'does not own this staked token', {
    instead: `send ${owner}: only that address can sign for it`,
  })

const LEAVE_OUT = { instead: 'leave it out to unstake everything' }

export const abovePrincipal = ({ principal }: StakedToken) =>
  wrongField('amount', `must be at most the principal, ${principal}`, LEAVE_OUT)

export const tooSmallParts = ({ token: { minStake } }: ChainSnapshot) =>
  wrongField('amount', `must leave both parts at ${minStake} or more`, LEAVE_OUT)

export const alreadyDue = (asked: TokenWanted) =>
  wrongField('stakedTokenId', 'was unstaked before and is due', {
    instead: `use ${call('buildWithdraw')}`,
    next: withToken('buildWithdraw', asked),
  })

export const alreadyRequested = (epoch: number, snapshot: ChainSnapshot, asked: TokenWanted) =>
  wrongField(
    'stakedTokenId',
    `was unstaked before; use ${call('buildWithdraw')} ${startText(epoch, snapshot)}`,
    waitToWithdraw(epoch, snapshot, asked),
  )

export const tooEarly = (epoch: number, snapshot: ChainSnapshot, asked: TokenWanted) =>
  wrongField(
    'stakedTokenId',
    `can be withdrawn ${startText(epoch, snapshot)}`,
    waitToWithdraw(epoch, snapshot, asked),
  )

const waitToWithdraw = (epoch: number, snapshot: ChainSnapshot, asked: TokenWanted) => ({
  fix: `${waitFor(epoch, snapshot)} ${call('buildWithdraw')} then pays it out.`,
  next: withToken('buildWithdraw', asked),
})

/** On Sui the contract does not find the pool of a validator between its request to join and the next epoch. */
export const boundToNewcomer = (epoch: number, snapshot: ChainSnapshot) =>
  wrongField(
    'stakedTokenId',
    `is with a validator that is about to join, and the chain pays nothing out until it has; it can be withdrawn ${startText(epoch, snapshot)}`,
    { fix: waitFor(epoch, snapshot) },
  )

export const notRequested = (epoch: number, snapshot: ChainSnapshot, asked: TokenWanted) =>
  wrongField(
    'stakedTokenId',
    `is still staked; use ${call('buildUnstake')} first, after which it can be withdrawn ${startText(epoch, snapshot)}`,
    { fix: `Use ${call('buildUnstake')} first.`, next: withToken('buildUnstake', asked) },
  )

/** The fix names the largest amount (`spare`) that the chain would accept. */
export const setRefuses = (field: string, { kind, spare }: SetRefusal, snapshot: ChainSnapshot) => {
  const why =
    kind === 'too_many_changes'
      ? 'the set has changed as often as an epoch allows'
      : 'the set is at its smallest already'
  const later = snapshot.epoch.number + 1
  const wait = kind === 'too_many_changes' ? `, or try again ${startText(later, snapshot)}` : ''
  const less =
    spare >= snapshot.token.minStake ? `unstake at most ${spare}, rewards included` : 'unstake nothing'
  return wrongField(
    field,
    `would take the validator out of the active set, which the chain refuses: ${why}`,
    { instead: `${less} for now${wait}` },
  )
}

/** The token is newer than the snapshot, which does not have its validator yet. */
export const validatorNotSeen = () =>
  new Fault(
    'rpc_unavailable',
    'The validator of this token is not in the chain data yet. Try again shortly.',
    {
      retryAfterSeconds: 5,
    },
  )

const waitFor = (epoch: number, snapshot: ChainSnapshot): string =>
  `Wait for epoch ${epoch}, due at ${new Date(startOfEpoch(snapshot, epoch)).toISOString()}.`

function startText(epoch: number, snapshot: ChainSnapshot): string {
  const at = new Date(startOfEpoch(snapshot, epoch)).toISOString()
  return `from epoch ${epoch} on, due at ${at}; now is epoch ${snapshot.epoch.number}`
}
