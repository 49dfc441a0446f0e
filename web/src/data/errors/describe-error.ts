import { StakewrightError } from '@stakewright/client'
import { inPlainWords, type Labels, pathText } from './plain-words.ts'

/** An error for people: each statement once, with the labels of the form. */
export function describeError(error: unknown, labels: Labels = {}): string {
  if (!(error instanceof StakewrightError))
    return error instanceof Error ? error.message : 'Something went wrong.'
  if (error.code === 'unreachable') return 'The service does not answer.'
  if (isFromProxy(error)) return `The service cannot be reached right now (status ${error.status}).`
  const others = error.details.filter(
    (detail) => !error.message.replaceAll('`', '').includes(detail.message.replaceAll('`', '')),
  )
  const message = inPlainWords(error.message, labels)
  const details = others.map((detail) => detailText(detail, labels)).join('; ')
  const wait =
    error.retryAfterSeconds === undefined || !error.retryable || message.includes('Try again')
      ? ''
      : ` Try again in ${error.retryAfterSeconds} s.`
  return `${message}${details === '' ? '' : ` (${details})`}${wait}`
}

/** The original error of the API, for developers. */
export function describeToPrograms(error: unknown): string {
  if (!(error instanceof StakewrightError)) return describeError(error)
  return [error.message, ...error.details.map(({ field, message }) => `${field} ${message}`)].join('\n')
}

type Detail = StakewrightError['details'][number]

const detailText = ({ field, message }: Detail, labels: Labels): string =>
  `${pathText(field, labels)} ${inPlainWords(message, labels)}`

/** Errors by field of a form, and errors of no field. */
type Refusal = {
  readonly byField: Readonly<Record<string, string>>
  readonly other: string | undefined
}

/** Assigns the details of an error to the fields of a form by their labels. */
export function toRefusal(error: unknown, labels: Labels): Refusal {
  const details = error instanceof StakewrightError ? error.details : []
  const byField: Record<string, string> = {}
  for (const { field, message } of details) {
    const [, root = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(field) ?? []
    if (!(root in labels)) return { byField: {}, other: describeError(error, labels) }
    const subject = index === undefined ? 'This' : `Number ${Number(index) + 1}`
    const said = `${subject} ${inPlainWords(message, labels).replace(/\.$/, '')}.`
    byField[root] = byField[root] === undefined ? said : `${byField[root]} ${said}`
  }
  return details.length === 0
    ? { byField, other: describeError(error, labels) }
    : { byField, other: undefined }
}

export const NO_REFUSAL: Refusal = { byField: {}, other: undefined }

/** An answer of a gateway: errors of the service always have a request id. */
const isFromProxy = ({ status, requestId }: StakewrightError): boolean =>
  status !== undefined && status >= 500 && requestId === undefined
