import { call, type WrongField, wrongFields } from '../../../fault.ts'
import type { Position } from './held-token.ts'

/** Refuses impossible positions, and names all of them. */
export function checkPositions(
  positions: readonly Position[],
  /** The stake of a validator; undefined: there is no validator with that id. */
  stakeOf: (id: string) => bigint | undefined,
  field = 'positions',
): void {
  const seen = new Set<string>()
  const claimed = new Map<string, bigint>()
  const problems = positions.flatMap(({ stakedTokenId, validatorId, principal }, index) => {
    const at = `${field}[${index}]`
    const found: WrongField[] = []
    const stake = stakeOf(validatorId)
    const sum = (claimed.get(validatorId) ?? 0n) + principal
    claimed.set(validatorId, sum)
    if (stake !== undefined && sum > stake) {
      found.push({
        field: `${at}.principal`,
        problem: `cannot be: together with other positions it is more than the ${stake} that lie with this validator`,
      })
    }
    if (stake === undefined) {
      found.push({
        field: `${at}.validatorId`,
        problem: 'is not a validator of this network',
        instead: `see ${call('validators')}`,
        next: { endpoint: 'validators' },
      })
    }
    if (seen.has(stakedTokenId)) {
      found.push({
        field: `${at}.stakedTokenId`,
        problem: 'appears twice',
        instead: 'list every staked token once',
      })
    }
    if (principal <= 0n) found.push({ field: `${at}.principal`, problem: 'must be greater than 0' })
    seen.add(stakedTokenId)
    return found
  })
  const [first, ...others] = problems
  if (first) throw wrongFields(first, ...others)
}
