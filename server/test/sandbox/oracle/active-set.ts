import { add, check, subtract } from './machine.ts'

/** The validators that form the next committee, ascending by stake, and the limits on changes of this set. */
export type ActiveSet = {
  readonly limits: {
    readonly least: number
    readonly most: number
    readonly changes: number
    readonly joiningStake: bigint
  }
  readonly entries: { readonly id: string; readonly stake: bigint }[]
  total: bigint
  readonly changed: Set<string>
}

type Outcome = { readonly inSet: boolean; readonly removed: string | undefined }

const MODULE = 'pending_active_set'
const indexOf = (set: ActiveSet, id: string): number => set.entries.findIndex((entry) => entry.id === id)

export function updateOrRemove(set: ActiveSet, id: string, stake: bigint): Outcome {
  if (stake === 0n || stake < set.limits.joiningStake)
    return { inSet: false, removed: remove(set, id) ? id : undefined }
  return { inSet: update(set, id, stake), removed: undefined }
}

export function insertUpdateOrRemove(set: ActiveSet, id: string, stake: bigint): Outcome {
  if (stake === 0n || stake < set.limits.joiningStake)
    return { inSet: false, removed: remove(set, id) ? id : undefined }
  if (update(set, id, stake)) return { inSet: true, removed: undefined }
  return insert(set, id, stake)
}

export function update(set: ActiveSet, id: string, stake: bigint): boolean {
  const index = indexOf(set, id)
  const entry = set.entries[index]
  if (entry === undefined) return false
  set.total = subtract(add(set.total, stake), entry.stake)
  set.entries.splice(index, 1)
  place(set, id, stake)
  return true
}

export function remove(set: ActiveSet, id: string): boolean {
  const wasTooSmall = set.entries.length < set.limits.least
  const index = indexOf(set, id)
  const [entry] = index < 0 ? [] : set.entries.splice(index, 1)
  if (entry !== undefined) set.total = subtract(set.total, entry.stake)
  check(wasTooSmall || set.entries.length >= set.limits.least, MODULE, 3)
  if (entry !== undefined) noteChange(set, id)
  return entry !== undefined
}

function insert(set: ActiveSet, id: string, stake: bigint): Outcome {
  check(indexOf(set, id) < 0, MODULE, 1)
  const smallest = set.entries.length < set.limits.most ? undefined : set.entries[0]
  if (smallest !== undefined) {
    if (stake <= smallest.stake) return { inSet: false, removed: undefined }
    set.total = subtract(set.total, smallest.stake)
    set.entries.shift()
  }
  set.total = add(set.total, stake)
  place(set, id, stake)
  noteChange(set, id)
  return { inSet: true, removed: smallest?.id }
}

/** Inserts the entry in order; at equal stakes, before the others. */
function place(set: ActiveSet, id: string, stake: bigint): void {
  let at = 0
  for (const entry of set.entries) if (entry.stake < stake) at += 1
  set.entries.splice(at, 0, { id, stake })
}

function noteChange(set: ActiveSet, id: string): void {
  set.changed.add(id)
  check(set.changed.size <= set.limits.changes, MODULE, 4)
}
