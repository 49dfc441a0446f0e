import { Fault } from '../../../fault.ts'
import type { Position } from './held-token.ts'

/** Refuses positions that cannot be true, and names every one of them. */
export function checkPositions(
  positions: readonly Position[],
  isValidator: (id: string) => boolean,
  field = 'positions',
): void {
  const seen = new Set<string>()
  const details = positions.flatMap(({ stakedTokenId, validatorId, principal }, index) => {
    const at = `${field}[${index}]`
    const problems: { readonly field: string; readonly message: string }[] = []
    if (!isValidator(validatorId)) {
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
