import { StakewrightError } from '@stakewright/client'

/** What a person reads of a refusal: each thing once, and names of fields without the marks of the API's texts. */
export function describeError(error: unknown): string {
  if (!(error instanceof StakewrightError))
    return error instanceof Error ? error.message : 'Something went wrong.'
  if (error.code === 'unreachable') return 'The service does not answer.'
  if (isFromBetween(error)) return `The service cannot be reached right now (status ${error.status}).`
  const message = error.message.replaceAll('`', '')
  const others = error.details.filter((detail) => !message.includes(detail.message.replaceAll('`', '')))
  const details = others.map((detail) => `${detail.field} ${detail.message}`.replaceAll('`', '')).join('; ')
  const wait =
    error.retryAfterSeconds === undefined || message.includes('Try again')
      ? ''
      : ` Try again in ${error.retryAfterSeconds} s.`
  return `${message}${details === '' ? '' : ` (${details})`}${wait}`
}

/** A gateway's answer: every refusal of the service names its request. */
const isFromBetween = ({ status, requestId }: StakewrightError): boolean =>
  status !== undefined && status >= 500 && requestId === undefined
