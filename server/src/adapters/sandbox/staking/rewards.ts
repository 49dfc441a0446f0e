const SLASHING_BPS = 10_000n
const BPS = 10_000n

/**
 * Splits one epoch's rewards equally between the members, regardless of stake. The share of a member that missed its
 * duty goes to the others. The rounding remainder stays in the pot.
 */
export function shareRewards(
  pot: bigint,
  members: readonly string[],
  missed: ReadonlySet<string>,
): { readonly shares: ReadonlyMap<string, bigint>; readonly left: bigint } {
  if (members.length === 0) return { shares: new Map(), left: pot }
  const equal = pot / BigInt(members.length)
  const lost = (equal * SLASHING_BPS) / BPS
  const absent = members.filter((id) => missed.has(id)).length
  const present = members.length - absent
  const bonus = present === 0 ? 0n : (lost * BigInt(absent)) / BigInt(present)
  const shares = new Map(members.map((id) => [id, missed.has(id) ? equal - lost : equal + bonus]))
  return { shares, left: [...shares.values()].reduce((left, share) => left - share, pot) }
}
