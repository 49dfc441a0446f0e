import { ROUTES } from '@stakewright/contract'
import { Fault } from '../../fault.ts'
import type { GivesKeys } from '../endpoint.ts'
import { exampleCall } from '../example-call.ts'

/** Refusals that name the call that leads on. */

export const unknownValidator = () => {
  const { method, path } = ROUTES.validators
  const fix = `${method} ${path} lists them all.`
  return new Fault('not_found', `There is no validator with this id. ${fix}`, { fix, next: { method, path } })
}

/** Where a key costs nobody anything, nobody has to sign in to get a better one. */
export const needsBuilderTier = (givesKeys: GivesKeys, what = 'Rebalance plans') => {
  const need = `${what} need the builder tier or higher.`
  if (givesKeys === 'sandboxKey') {
    const next = exampleCall('sandboxKey')
    const fix = `Call ${next.method} ${next.path}, and use the key that it gives.`
    return new Fault('forbidden', `${need} ${fix}`, { fix, next })
  }
  const { method, path } = ROUTES.registerAgent
  const fix = `Let a signed-in user call ${method} ${path} with \`tier\`: \`builder\`, and use the key that it gives.`
  return new Fault('forbidden', `${need} ${fix}`, { fix, next: { method, path } })
}
