import { MAX_U64 } from '../../../basics/u64.ts'
import { abortUnless } from '../transactions/abort.ts'

/** The validators that the next committee will be made of, ascending by stake. */
export type ActiveSet = {
  readonly members: readonly Member[]
  /** Validators added or removed in this epoch. */
  readonly changes: readonly string[]
}

type Member = { readonly id: string; readonly stake: bigint }

export const SET_LIMITS = {
  minMembers: 4,
  maxMembers: 102,
  maxChanges: 10,
  joiningStake: 30_000_000_000_000_000n,
} as const

/** The new set, whether the validator is in it, and the validator removed for it or by it. */
type SetChange = {
  readonly set: ActiveSet
  readonly inSet: boolean
  readonly removed: string | undefined
}

/**
 * Sets a member's stake and removes it if that is below the joining stake. A validator outside the set stays outside.
 */
export function updateMember(set: ActiveSet, id: string, stake: bigint): SetChange {
  if (stake < SET_LIMITS.joiningStake) return loseMember(set, id)
  if (!holds(set, id)) return { set, inSet: false, removed: undefined }
  // The contract adds the new stake to the total before it takes the old one off.
  abortUnless(totalOf(set.members) + stake <= MAX_U64, 'overflow')
  return { set: restakeMembers(set, new Map([[id, stake]])), inSet: true, removed: undefined }
}

/** Adds a validator; in a full set it replaces the smallest member, if it has more stake than that. */
export function enterMember(set: ActiveSet, id: string, stake: bigint): SetChange {
  if (holds(set, id) || stake < SET_LIMITS.joiningStake) return updateMember(set, id, stake)
  const [smallest, ...others] = set.members
  const full = set.members.length >= SET_LIMITS.maxMembers
  if (full && smallest !== undefined && stake <= smallest.stake)
    return { set, inSet: false, removed: undefined }
  const members = placed(full ? others : set.members, { id, stake })
  abortUnless(totalOf(members) <= MAX_U64, 'overflow')
  return {
    set: { members, changes: noteChange(set.changes, id) },
    inSet: true,
    removed: full ? smallest?.id : undefined,
  }
}

/** The least stake with which a validator outside the set enters it. */
export function stakeToEnter({ members: [smallest, ...others] }: ActiveSet): bigint {
  const { joiningStake, maxMembers } = SET_LIMITS
  if (smallest === undefined || others.length + 1 < maxMembers || smallest.stake < joiningStake)
    return joiningStake
  return smallest.stake + 1n
}

export function removeMember(set: ActiveSet, id: string): ActiveSet {
  const members = set.members.filter((member) => member.id !== id)
  const wasTooSmall = set.members.length < SET_LIMITS.minMembers
  abortUnless(wasTooSmall || members.length >= SET_LIMITS.minMembers, 'tooFewValidators')
  if (members.length === set.members.length) return set
  return { members, changes: noteChange(set.changes, id) }
}

/**
 * Sets the members' stakes after an epoch's rewards; validators outside the set are ignored. As in the contract, they
 * are placed one after the other, each before members with equal stake: the order decides which of them goes first.
 */
export function restakeMembers(set: ActiveSet, stakes: ReadonlyMap<string, bigint>): ActiveSet {
  let { members } = set
  for (const [id, stake] of stakes) {
    const others = members.filter((member) => member.id !== id)
    if (others.length < members.length) members = placed(others, { id, stake })
  }
  return { ...set, members }
}

export const holds = (set: ActiveSet, id: string): boolean => set.members.some((member) => member.id === id)

function loseMember(set: ActiveSet, id: string): SetChange {
  const inSet = holds(set, id)
  return { set: removeMember(set, id), inSet: false, removed: inSet ? id : undefined }
}

function placed(members: readonly Member[], entry: Member): readonly Member[] {
  const at = members.findIndex((member) => member.stake >= entry.stake)
  return at < 0 ? [...members, entry] : members.toSpliced(at, 0, entry)
}

const totalOf = (members: readonly Member[]): bigint => members.reduce((sum, { stake }) => sum + stake, 0n)

function noteChange(changes: readonly string[], id: string): readonly string[] {
  const noted = changes.includes(id) ? changes : [...changes, id]
  abortUnless(noted.length <= SET_LIMITS.maxChanges, 'tooManyChanges')
  return noted
}
