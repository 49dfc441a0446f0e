/** Longer names are not compared: the distance takes quadratic time. */
const LONGEST = 64

/** The known name closest to a mistyped one; undefined if none is close. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined
  const wanted = fold(given)
  const near = known
    .map((name) => ({ name, distance: editDistance(wanted, fold(name)) }))
    .filter(({ name, distance }) => distance <= Math.min(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.name ?? longerForm(wanted, known) ?? synonymOf(wanted, known)
}

/**
 * The enumeration value closest to a mistyped one. Stricter than for names, because the value may move money: at
 * most one edit, or two in a long value, and no tie.
 */
export function nearestValue(given: string, values: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined
  const wanted = fold(given)
  const near = values.filter(
    (value) => value.length >= 3 && editDistance(wanted, fold(value)) <= (value.length < LONG_VALUE ? 1 : 2),
  )
  return near.length === 1 ? near[0] : undefined
}

/** From this length on, two edits are allowed. */
const LONG_VALUE = 10

/** Names that other services use for the same thing. */
const SYNONYMS = [
  ['owner', 'sender', 'address', 'wallet', 'account', 'from', 'walletAddress'],
  ['stakedTokenId', 'tokenId', 'positionId', 'stakeId', 'stakedObjectId'],
  ['validatorId', 'validator', 'validatorAddress', 'pool', 'poolId'],
  ['amount', 'value', 'quantity', 'tokens', 'principal'],
  ['agentName', 'name', 'label'],
  ['items', 'allocations', 'actions', 'stakes', 'transactions'],
  ['limit', 'count', 'size', 'pageSize', 'perPage', 'top', 'first', 'take'],
  ['search', 'q', 'query', 'name'],
  ['cursor', 'page', 'offset', 'after', 'nextCursor'],
].map((names) => names.map((name) => ({ name, folded: name.toLowerCase() })))

/** Undefined if several known names are synonyms: the choice would be a guess. */
function synonymOf(wanted: string, known: readonly string[]): string | undefined {
  const groups = SYNONYMS.filter((group) => group.some(({ folded }) => folded === wanted))
  const meant = new Set(
    groups.flatMap((group) => group.map(({ name }) => name)).filter((name) => known.includes(name)),
  )
  return meant.size === 1 ? [...meant][0] : undefined
}

/** `sortBy` for `sort`: a known name with a word appended. Short names are prefixes of too many others. */
const longerForm = (wanted: string, known: readonly string[]): string | undefined =>
  known.find((name) => name.length >= 4 && wanted.startsWith(fold(name)) && wanted.length <= name.length + 3)

/** Makes `max_validators`, `MaxValidators` and `maxValidators` equal. */
const fold = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The Levenshtein distance, in code points. */
export function editDistance(from: string, to: string): number {
  const letters = [...to]
  let row = Array.from({ length: letters.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let at = 1; at <= letters.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letters[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[letters.length] ?? 0
}
