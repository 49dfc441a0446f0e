/** Whose turn it is: groups take turns, and within a group its members. */
export type Caller = {
  /** Such as the network address: all callers that share it count as one. */
  readonly group: string
  /** Such as the agent. */
  readonly member: string
}

type TurnOrder<Item> = {
  size(): number
  countOf(caller: Caller): number
  add(caller: Caller, item: Item): void
  /** Takes the item whose turn it is. The next turn of its caller comes after those of all waiting callers. */
  takeNext(): Item | undefined
  /** Moves the next turn of the caller also behind callers that arrived during its turn. */
  endTurn(caller: Caller): void
  /**
   * Takes the newest item of the group with the most items, if it has more than the newcomer's group would have.
   * Otherwise takes the newest item of a member of the newcomer's own group that has more than the newcomer would
   * have.
   */
  displaceFor(newcomer: Caller): Item | undefined
}

type Members<Item> = Map<string, Item[]>

/** Waiting items by group and member. The order of both maps is the order of turns, and they have no empty entries. */
export function turnOrder<Item>(): TurnOrder<Item> {
  const groups = new Map<string, Members<Item>>()
  let size = 0

  function takeFrom(members: Members<Item>): Item | undefined {
    const [turn] = members
    if (!turn) return undefined
    const [member, items] = turn
    const item = items.shift()
    if (items.length > 0) moveToEnd(members, member)
    else members.delete(member)
    return item
  }

  /** Takes the newest item of the member with the most, if it has more than `least`. */
  function displaceFrom(group: string, least: number): Item | undefined {
    const members: Members<Item> = groups.get(group) ?? new Map()
    const [member, items] = largest(members, ({ length }) => length)
    if (items === undefined || items.length <= least) return undefined
    const item = items.pop()
    if (items.length === 0) members.delete(member)
    if (members.size === 0) groups.delete(group)
    size -= 1
    return item
  }

  return {
    size: () => size,
    countOf: ({ group, member }) => groups.get(group)?.get(member)?.length ?? 0,
    add({ group, member }, item) {
      const members: Members<Item> = groups.get(group) ?? new Map()
      const items = members.get(member) ?? []
      items.push(item)
      members.set(member, items)
      groups.set(group, members)
      size += 1
    },
    takeNext() {
      const [turn] = groups
      if (!turn) return undefined
      const [group, members] = turn
      const item = takeFrom(members)
      if (members.size > 0) moveToEnd(groups, group)
      else groups.delete(group)
      size -= 1
      return item
    },
    endTurn({ group, member }) {
      const members = groups.get(group)
      if (!members) return
      moveToEnd(groups, group)
      moveToEnd(members, member)
    },
    displaceFor({ group, member }) {
      const own: Members<Item> = groups.get(group) ?? new Map()
      const [most, members] = largest(groups, countItems)
      if (members && countItems(members) > countItems(own) + 1) return displaceFrom(most, 0)
      return displaceFrom(group, (own.get(member)?.length ?? 0) + 1)
    },
  }
}

function moveToEnd<Value>(map: Map<string, Value>, name: string): void {
  const value = map.get(name)
  if (value === undefined) return
  map.delete(name)
  map.set(name, value)
}

const countItems = (members: Members<unknown>): number =>
  [...members.values()].reduce((sum, { length }) => sum + length, 0)

/** The entry with the highest count; of equal ones the last, whose turn is the farthest away. */
function largest<Value>(
  map: ReadonlyMap<string, Value>,
  countOf: (value: Value) => number,
): readonly [name: string, value: Value | undefined] {
  let most: readonly [string, Value | undefined] = ['', undefined]
  let count = 0
  for (const [name, value] of map) {
    const own = countOf(value)
    if (own < count) continue
    most = [name, value]
    count = own
  }
  return most
}
