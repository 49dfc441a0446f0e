import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { Fault, wrongField } from '../../../fault.ts'
import { MAX_AMOUNT } from '../../amount.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { isInSet, removalsLeft, setRefusing } from '../set-removal.ts'
import { type PlannedAction, planStake, planUnstake, planWithdraw } from './plan-action.ts'
import { planJoin } from './plan-join.ts'
import * as refuse from './transaction-refusals.ts'

export type BatchItem =
  | { readonly action: 'stake'; readonly validatorId: string; readonly amount: bigint }
  | { readonly action: 'unstake'; readonly stakedTokenId: string; readonly amount: bigint | undefined }
  | { readonly action: 'withdraw'; readonly stakedTokenId: string }
  | { readonly action: 'join'; readonly stakedTokenIds: readonly string[] }

type Known = { readonly tokens: readonly StakedToken[]; readonly sender: string | undefined }

/** Plans several actions as one transaction. The chain must accept each of them alone, and all together. */
export function planBatch(
  view: NetworkView,
  items: readonly BatchItem[],
  { tokens, sender }: Known,
): readonly PlannedAction[] {
  const byId = new Map(tokens.map((token) => [token.id, token]))
  refuseRepeats(items)
  refuseSeveralOwners(tokens)
  refuseTooLarge(items)
  const planned = items.map((item, at) =>
    ofItem(at, () => {
      if (item.action === 'stake') return planStake(view, item)
      if (item.action === 'join') return planJoin(view, tokens, { ...item, sender })
      const token = byId.get(item.stakedTokenId)
      return item.action === 'unstake'
        ? planUnstake(view, token, { ...item, sender })
        : planWithdraw(view, token, { ...item, sender })
    }),
  )
  checkSetTogether(view, planned)
  return planned
}

/** The staked tokens that an item uses. */
export function tokensOf(item: BatchItem): readonly string[] {
  if (item.action === 'stake') return []
  return item.action === 'join' ? item.stakedTokenIds : [item.stakedTokenId]
}

/** Refuses a token in two items: after the first one it is changed or gone. */
function refuseRepeats(items: readonly BatchItem[]): void {
  const first = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    for (const [position, id] of tokensOf(item).entries()) {
      const before = first.get(id)
      if (before !== undefined && before !== at) {
        const field = item.action === 'join' ? `stakedTokenIds[${position}]` : 'stakedTokenId'
        throw wrongField(`items[${at}].${field}`, `is a token of items[${before}], too`, {
          instead: 'name it once',
        })
      }
      first.set(id, at)
    }
  }
}

function refuseSeveralOwners(tokens: readonly StakedToken[]): void {
  const owners = new Set(tokens.map(({ owner }) => owner))
  if (owners.size > 1) {
    throw wrongField('items', 'name tokens of several owners, who cannot sign one transaction together')
  }
}

/** Stakes are split off one coin, whose balance is limited to `MAX_AMOUNT`. */
function refuseTooLarge(items: readonly BatchItem[]): void {
  const staked = items.reduce((sum, item) => (item.action === 'stake' ? sum + item.amount : sum), 0n)
  if (staked > MAX_AMOUNT) throw refuse.stakesTooLarge()
}

/** Checks the sums over all items: stake that leaves a validator, and validators that drop out of the set. */
function checkSetTogether({ snapshot, byId }: NetworkView, planned: readonly PlannedAction[]): void {
  const leaving = new Map<string, bigint>()
  let dropped = 0
  for (const [at, one] of planned.entries()) {
    if (!one.leaving) continue
    const { validatorId, amount } = one.leaving
    const validator = byId.get(validatorId)?.validator
    const before = leaving.get(validatorId) ?? 0n
    leaving.set(validatorId, before + amount)
    if (!validator || !isInSet(validator)) continue
    const refusal = setRefusing(snapshot, validator, before + amount)
    if (refusal) throw inItem(at, refuse.setRefuses('stakedTokenId', refusal, snapshot))
    const spare = validator.nextStake - snapshot.system.minValidatorStake
    if (spare >= before && spare < before + amount) dropped += 1
    if (dropped > removalsLeft(snapshot)) {
      throw wrongField(
        `items[${at}].stakedTokenId`,
        'would take one validator more out of the active set than this epoch allows',
        { instead: 'leave it out for now' },
      )
    }
  }
}

/** Plans an item; a refusal names the item. */
function ofItem<T>(at: number, plan: () => T): T {
  try {
    return plan()
  } catch (error) {
    throw error instanceof Fault ? inItem(at, error) : error
  }
}

function inItem(at: number, fault: Fault): Fault {
  const { details: [detail] = [], fix, next } = fault
  // `sender` is a field of the batch, not of an item.
  if (detail?.field === 'sender')
    return wrongField('sender', `${detail.message} (items[${at}])`, { fix, next })
  return detail ? wrongField(`items[${at}].${detail.field}`, detail.message, { fix, next }) : fault
}
