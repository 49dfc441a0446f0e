import type { EndpointName, Reply } from '@stakewright/contract'
import { brokenLog } from '../broken-log.ts'
import { Refusal } from '../command.ts'
import { Aborted } from './aborted.ts'

type Verdicts = { readonly [Name in EndpointName]?: (reply: Reply<Name>) => Refusal | undefined }

/** Endpoints whose successful answer may report a problem. */
export const VERDICTS: Verdicts = {
  sandboxExecute: ({ abort }) => abort && new Aborted(abort),
  verifyAudit: ({ data: { isIntact, brokenAt, reason } }) =>
    isIntact ? undefined : brokenLog({ seq: brokenAt, reason }),
  simulatePolicy: ({ allowed, broken }) => (allowed ? undefined : notAllowed(broken)),
}

/** Undefined: the answer reports no problem. */
export function problemIn(endpoint: EndpointName, reply: unknown): Refusal | undefined {
  const verdict = VERDICTS[endpoint] as ((reply: unknown) => Refusal | undefined) | undefined
  return verdict?.(reply)
}

function notAllowed(broken: Reply<'simulatePolicy'>['broken']): Refusal {
  const rules = broken.map(({ rule, limit, actual }) => `${rule} allows ${limit}, and this is ${actual}`)
  return new Refusal(
    'forbidden',
    `The policy does not allow it: ${rules.join('; ')}.`,
    'Ask for what the rules allow, or wait until `clearsAt` of the broken rule, if it has one.',
  )
}
