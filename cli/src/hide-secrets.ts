import { ENDPOINTS, type EndpointSpec, hasSecret, isRecoveryCode, nearestName } from '@stakewright/contract'
import { Misuse } from './command.ts'
import type { Failure } from './envelope.ts'

const KEY_OPTION = /^--?(?:api[-_]?key\b|x-api-key\b)/i
const SHORT_KEY_OPTION = /^--?key(?:=|$)/i

type AcceptedInput = {
  /** The name of the command's secret input. */
  readonly field?: string | undefined
  /** The options of the command: one called `key` names a file. */
  readonly flags?: readonly string[]
}

/** Refuses secrets in arguments, which other users of the machine can see. */
export function refuseSecrets(args: readonly string[], { field, flags = [] }: AcceptedInput = {}): void {
  const isKeyOption = (arg: string): boolean =>
    KEY_OPTION.test(arg) || (SHORT_KEY_OPTION.test(arg) && !flags.includes('key'))
  if (!args.some((arg) => hasSecret(arg) || isKeyOption(arg))) return
  const instead =
    field === undefined
      ? 'set STAKEWRIGHT_API_KEY (STAKEWRIGHT_TOKEN for a token), or save one in a profile.'
      : `give it as JSON, { "${field}": "…" }, by --input - (standard input) or --input @FILE.`
  throw new Misuse(`Keys are never arguments, which others on this machine can read: ${instead}`)
}

/** Removes arguments that may be part of a key or token from every text of a failure, which is JSON. */
export function withoutSecrets(failure: Failure, argv: readonly string[]): Failure {
  const words = argv.flatMap((arg) => arg.split(/[=@\s"]/)).filter(mayBeSecret)
  const hide = (text: string) => words.reduce((rest, word) => rest.replaceAll(word, '…'), text)
  if (words.length === 0) return failure
  return JSON.parse(JSON.stringify(failure), (_, value) => (typeof value === 'string' ? hide(value) : value))
}

/** A name from the caller, for use in an error message; `…` if it may be a secret. */
export const shownName = (name: string): string =>
  /^[\w.-]{1,40}$/.test(name) && !mayBeSecret(name) ? name : '…'

/**
 * Whether a word looks like a key of this service, even cut short or with another prefix, like a recovery code, or like
 * any long mixture of letters and digits. Ids of a chain or an agent, request fields and near misspellings of those do not count.
 */
const mayBeSecret = (word: string): boolean =>
  word.startsWith('stk_') ||
  isRecoveryCode(word) ||
  (!IS_ID.test(word) &&
    (isCutKey(word) || isLongMixture(word)) &&
    nearestName(word, requestFields()) === undefined)

/** `max_turnover` begins like a key, too, but is only lower-case words without six consonants in a row. */
const isCutKey = (word: string): boolean =>
  /^[a-z][a-z0-9]{1,7}_\w/.test(word) &&
  !(/^[a-z]+(?:_[a-z]{1,24})+$/.test(word) && !/[^aeiou_]{6}/.test(word))

const isLongMixture = (word: string): boolean =>
  /^[\w+.-]{20,}$/.test(word) && /\d/.test(word) && /[a-z]/i.test(word)

const requestFields = (): readonly string[] =>
  Object.values<EndpointSpec>(ENDPOINTS).flatMap(({ params, query, body }) =>
    [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {})),
  )

const IS_ID =
  /^0x[0-9a-f]+$|^(?!stk)[a-z]{3}_[0-9A-Za-z]{22}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^\d{4}-\d\d-\d\dT/i
