import { Fault } from '../../fault.ts'
import type { StakeOptions } from './stake-options.ts'

/** Refuses to exclude an id that no validator has: ignored, it would send stake to whoever was meant by it. */
export function checkExcluded({ options }: StakeOptions, exclude: ReadonlySet<string> | undefined): void {
  const unknown = [...(exclude ?? [])].filter((id) => !options.some(({ validatorId }) => validatorId === id))
  if (unknown.length === 0) return
  const details = unknown.map((id) => ({
    field: 'exclude',
    message: `names ${id}, which no validator of this network has; GET /api/v1/staking/validators lists them`,
  }))
  const more = details.length > 1 ? ` (and ${details.length - 1} more: see details)` : ''
  throw new Fault('invalid_input', `\`exclude\` ${details[0]?.message}${more}.`, { details })
}
