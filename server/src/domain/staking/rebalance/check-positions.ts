import { Fault } from '../../../fault.ts'
import type { Position } from './held-token.ts'

/** Refuses positions that cannot be true, and names every one of them. */
export function checkPositions(
  positions: readonly Position[],
  /** What lies with a validator; undefined: there is none of that id. */
  stakeOf: (id: string) => bigint | undefined,
  field = 'positions',
): void {
  const seen = new Set<string>()
  const claimed = new Map<string, bigint>()
  const details = positions.flatMap(({ stakedTokenId, validatorId, principal }, index) => {
    const at = `${field}[${index}]`
    const problems: { readonly field: string; readonly message: string }[] = []
    const stake = stakeOf(validatorId)
    const sum = (claimed.get(validatorId) ?? 0n) + principal
    claimed.set(validatorId, sum)
    if (stake !== undefined && sum > stake) {
      problems.push({
        field: `${at}.principal`,
        message: `cannot be: together with other positions it is more than the ${stake} that lie with this validator.`,
      })
    }
    if (stake === undefined) {
      problems.push({
        field: `${at}.validatorId`,
        message: 'is not a validator of this network; see GET /api/v1/staking/validators.',
      })
    }
    if (seen.has(stakedTokenId)) {
      problems.push({ field: `${at}.stakedTokenId`, message: 'appears twice; list every staked token once.' })
    }
    if (principal <= 0n) problems.push({ field: `${at}.principal`, message: 'must be greater than 0.' })
    seen.add(stakedTokenId)
    return problems
  })
  const [first] = details
  if (first) throw new Fault('invalid_input', `\`${first.field}\` ${first.message}`, { details })
}
