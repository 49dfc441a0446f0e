import { CHAIN_ID_FORM, type EndpointName, type EndpointSpec, nearestName } from '@stakewright/contract'
import { call, Fault, type NextCall } from '../../fault.ts'
import { shownName } from '../../secrets/shown-name.ts'
import {
  type Advice,
  adviceFor,
  heldIn,
  type Issue,
  isMissingIn,
  requiredIn,
  sourceOf,
  WHOLE,
} from './input-advice.ts'

/** What is wrong with one field of a request. */
export type Problem =
  | { readonly kind: 'unknown'; readonly field: string; readonly near?: string | undefined }
  | { readonly kind: 'missing'; readonly field: string; readonly message: string }
  | {
      readonly kind: 'wrong'
      readonly field: string
      readonly message: string
      /** How to correct it, if there is more to say than the message. */
      readonly advice?: Advice | undefined
    }

export const unknownField = (name: string, parent?: string): Problem => {
  const shown = shownName(name)
  return { kind: 'unknown', field: parent === undefined ? shown : `${parent}.${shown}` }
}

export function toProblems(
  issue: Issue & { readonly keys?: readonly string[] },
  row: EndpointSpec,
): readonly Problem[] {
  const field = toPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => unknownField(key, field === WHOLE ? undefined : field))
  }
  const { message } = issue
  if (!isMissingIn(issue)) return [{ kind: 'wrong', field, message, advice: adviceFor(field, issue, row) }]
  // "is required" comes first: the caller may not know that the field exists.
  const wording = message === 'is required' ? message : `is required; it ${message}`
  return [{ kind: 'missing', field, message: `${wording}${whereFrom(field, message, row)}` }]
}

/** For a missing id: names the call that lists valid ones. */
function whereFrom(field: string, message: string, row: EndpointSpec): string {
  const source = message === CHAIN_ID_FORM ? sourceOf(field, row) : undefined
  return source === undefined ? '' : `; ${call(source)} has the ids`
}

function toPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return WHOLE
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at ? '.' : ''}${String(part)}`))
    .join('')
}

/** Upper bound of problems in one answer; after these are corrected, the next answer has the rest. */
const MAX_DETAILS = 20
const MAX_NAMED = 3

/** `given`: the names that the caller sent, for callers whose `found` does not contain missing fields. */
export function invalidInput(found: readonly Problem[], row: EndpointSpec, given?: readonly string[]): Fault {
  const absent = given === undefined ? [] : requiredIn(row).filter((name) => !given.includes(name))
  const once = [...new Map(found.toReversed().map((problem) => [problem.field, problem])).values()].reverse()
  const shown = once.slice(0, MAX_DETAILS)
  const problems = shown.map((problem) => suggestField(problem, shown, absent, row))
  const [first] = problems
  const where = once.length > shown.length ? `details has the first ${shown.length}` : 'see details'
  const more = once.length > 1 ? ` (and ${once.length - 1} more: ${where})` : ''
  const message = first ? `\`${first.field}\` ${wordingOf(first)}${more}.` : 'The request is not valid.'
  const details = problems.map((problem) => ({ field: problem.field, message: wordingOf(problem) }))
  return new Fault('invalid_input', message, {
    details,
    fix: fixOf(problems, row),
    ...nextCallFor(problems, row),
  })
}

/** Suggests the field that an unknown name was probably meant for: the most similar name, or the only missing field. */
function suggestField(
  problem: Problem,
  all: readonly Problem[],
  absent: readonly string[],
  row: EndpointSpec,
): Problem {
  if (problem.kind !== 'unknown' || NETWORKS.test(problem.field)) return problem
  const [parent, name] = splitField(problem.field)
  const beside = all.filter(({ field }) => splitField(field)[0] === parent)
  const missing = [
    ...(parent === '' ? absent : []),
    ...beside.flatMap(({ kind, field }) => (kind === 'missing' ? [splitField(field)[1]] : [])),
  ]
  const known = parent === '' ? namesIn(row) : missing
  const [only, ...others] = missing
  const isOnly = others.length === 0 && beside.filter(({ kind }) => kind === 'unknown').length === 1
  const meant = isOnly && only !== undefined && !hasOtherSource(name, only, row) ? only : undefined
  return { ...problem, near: nearestName(name, known) ?? meant }
}

/** Whether two fields take their values from different calls: a validator's id is never meant as a token's. */
function hasOtherSource(name: string, field: string, row: EndpointSpec): boolean {
  const source = sourceOf(name, row)
  return source !== undefined && source !== sourceOf(field, row)
}

/** `items[0].validator` is `validator` in `items[0]`. */
function splitField(field: string): readonly [parent: string, name: string] {
  const at = field.lastIndexOf('.')
  return at < 0 ? ['', field] : [field.slice(0, at), field.slice(at + 1)]
}

const namesIn = ({ params, query, body }: EndpointSpec): readonly string[] =>
  [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}))

/** Not simply "leave it out": the caller may mean another network than the one that this service is on. */
const NETWORKS = /^(?:network|chain|chain_?id)$/i

function wordingOf(problem: Problem): string {
  if (problem.kind !== 'unknown') return problem.message
  if (NETWORKS.test(problem.field))
    return `is not a field of this request; this service is on one network, and ${call('network')} says on which`
  return `is not a field of this request; ${problem.near ? `use \`${problem.near}\`` : 'leave it out'}`
}

/** What to do, field by field: rename, leave out, add, or correct. */
function fixOf(problems: readonly Problem[], row: EndpointSpec): string {
  const unknown = problems.flatMap((problem) => (problem.kind === 'unknown' ? [problem] : []))
  const renamed = unknown.flatMap(({ field, near }) => (near ? [{ field, near }] : []))
  const unmatched = unknown.filter(({ near }) => !near)
  const networks = unmatched.filter(({ field }) => NETWORKS.test(field))
  const surplus = unmatched.filter((problem) => !networks.includes(problem))
  const missing = problems.filter(
    ({ kind, field }) => kind === 'missing' && !renamed.some(({ near }) => near === splitField(field)[1]),
  )
  const wrong = problems.flatMap((problem) => (problem.kind === 'wrong' ? [problem] : []))
  const plain = wrong.filter(({ advice }) => advice === undefined)
  const advice = [
    ...renamed.slice(0, MAX_NAMED).map(({ field, near }) => `Use \`${near}\` instead of \`${field}\`.`),
    ...(networks.length > 0 ? [`Leave out ${namesOf(networks)} if that network is the one you mean.`] : []),
    ...(surplus.length > 0 ? [`Leave out ${namesOf(surplus)}.`] : []),
    ...(missing.length > 0 ? [`Add ${namesOf(missing)}.`] : []),
    ...new Set(wrong.flatMap((problem) => problem.advice?.text ?? []).slice(0, MAX_NAMED)),
    ...(plain.length > 0 ? [correctionOf(plain)] : []),
    ...new Set(
      problems.flatMap(({ kind, field }) => (kind === 'wrong' ? [] : ownerInstead(heldIn(field, row)))),
    ),
  ]
  return advice.join(' ')
}

/** `owner` is safer than a copied list of positions, in which fields get lost. */
const ownerInstead = (list: string | undefined): readonly string[] =>
  list === undefined ? [] : [`Or give \`owner\` instead of \`${list}\`: its tokens are read from the chain.`]

/** Longer descriptions are in the message only. */
const MAX_FIX_CHARACTERS = 160

/** For a single problem the fix includes what the value must be, for callers that read only the fix. */
function correctionOf(problems: readonly (Problem & { readonly message: string })[]): string {
  const [only, ...others] = problems
  const isShort = only !== undefined && only.message.length <= MAX_FIX_CHARACTERS
  const how =
    others.length === 0 && isShort && only.message.startsWith('must ') ? `, which ${only.message},` : ''
  return `Correct ${namesOf(problems)}${how} and send the request again.`
}

function namesOf(problems: readonly { readonly field: string }[]): string {
  const names = problems.slice(0, MAX_NAMED).map(({ field }) => `\`${field}\``)
  const more = problems.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The call that lists valid values for the first wrong field. A misspelled name needs no other call. */
function nextCallFor(problems: readonly Problem[], row: EndpointSpec): { readonly next?: NextCall } {
  const renamed = problems.flatMap((problem) => (problem.kind === 'unknown' ? [problem.near] : []))
  const sources = problems.flatMap((problem): readonly (EndpointName | undefined)[] => {
    if (problem.kind === 'unknown') return NETWORKS.test(problem.field) ? ['network'] : []
    if (renamed.includes(splitField(problem.field)[1])) return []
    if (problem.kind === 'wrong' && problem.advice !== undefined) return [problem.advice.source]
    return [sourceOf(problem.field, row)]
  })
  const source = sources.find((name) => name !== undefined)
  return source === undefined ? {} : { next: { endpoint: source } }
}
