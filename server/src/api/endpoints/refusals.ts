import { ROUTES } from '@stakewright/contract'
import { Fault } from '../../fault.ts'

/** Refusals that name the call that leads on. */

export const unknownValidator = () => {
  const { method, path } = ROUTES.validators
  const fix = `${method} ${path} lists them all.`
  return new Fault('not_found', `There is no validator with this id. ${fix}`, { fix, next: { method, path } })
}

export const needsBuilderTier = (what = 'Rebalance plans') => {
  const { method, path } = ROUTES.registerAgent
  const fix = `Let a signed-in user call ${method} ${path} with \`tier\`: \`builder\`, and use the key that it gives.`
  return new Fault('forbidden', `${what} need the builder tier or higher. ${fix}`, {
    fix,
    next: { method, path },
  })
}
