import { refusal } from '../../../fault.ts'

/** A repeated name has the list of its values, so that a schema for one value refuses it. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** Shared by all requests without a query. */
const NO_QUERY: Query = Object.freeze(Object.create(null))

/** Parses the query of a request target. Unknown names are kept; the endpoint refuses them. */
export function parseQuery(target: string): Query {
  const start = target.indexOf('?') + 1
  if (start === 0 || start === target.length) return NO_QUERY
  const query: Record<string, string | string[]> = Object.create(null)
  for (const pair of target.slice(start).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'string') query[name] = [before, value]
    else before.push(value)
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw refusal(
      'invalid_input',
      'The query has a % that is not followed by the code of a UTF-8 character.',
      'Encode % itself as %25.',
      { cause },
    )
  }
}
