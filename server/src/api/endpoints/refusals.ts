import { call, refusal } from '../../fault.ts'
import type { KeyIssuingEndpoint } from '../endpoint.ts'
import { exampleCall } from '../example-call.ts'

/** Refusals that name the call that helps. */

export const unknownValidator = () =>
  refusal('not_found', 'There is no validator with this id.', `${call('validators')} lists them all.`, {
    next: { endpoint: 'validators' },
  })

/** On the sandbox a new key has the tier already; elsewhere a signed-in user must register the agent. */
export const needsBuilderTier = (keyEndpoint: KeyIssuingEndpoint, what = 'Rebalance plans') => {
  const need = `${what} need the builder tier or higher.`
  return keyEndpoint === 'sandboxKey'
    ? refusal('forbidden', need, `Call ${call('sandboxKey')}, and use the key that it gives.`, {
        next: exampleCall('sandboxKey'),
      })
    : refusal(
        'forbidden',
        need,
        `Let a signed-in user call ${call('registerAgent')} with \`tier\`: \`builder\`, and use the key that it gives.`,
        { next: { endpoint: 'registerAgent' } },
      )
}
