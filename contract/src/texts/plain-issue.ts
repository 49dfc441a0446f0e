import type { z } from 'zod'
import { markOf } from './words.ts'

/** The default message of an issue, to follow the name of its field; for schemas without a message of their own. */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${NOUNS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return bound('at least', issue.origin, issue.minimum, issue.inclusive)
    case 'too_big':
      return bound('at most', issue.origin, issue.maximum, issue.inclusive)
    case 'invalid_format':
      return `must have the form ${issue.pattern ?? issue.format}`
    case 'invalid_union':
      return issue.discriminator === undefined
        ? `has none of the possible forms; see ${markOf('schema')}`
        : `must be one of ${optionsOf(issue).join(', ')}`
    default:
      return undefined
  }
}

/** The allowed values of the discriminator, at which zod reports the issue. */
const optionsOf = ({ options }: z.core.$ZodRawIssue): readonly unknown[] =>
  Array.isArray(options) ? options : []

const NOUNS: { readonly [type: string]: string } = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const COUNTED: { readonly [origin: string]: string } = {
  array: 'item',
  string: 'character',
}

function bound(
  word: 'at least' | 'at most',
  origin: string,
  limit: number | bigint,
  inclusive = true,
): string {
  const counted = COUNTED[origin]
  if (counted) return `must have ${word} ${limit} ${counted}${Number(limit) === 1 ? '' : 's'}`
  if (inclusive) return `must be ${word} ${limit}`
  return `must be ${word === 'at least' ? 'above' : 'below'} ${limit}`
}
