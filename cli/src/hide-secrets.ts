import { ENDPOINTS, type EndpointSpec, hasSecret, nearestName } from '@stakewright/contract'
import { Misuse } from './command.ts'
import type { Failure } from './envelope.ts'

const KEY_OPTION = /^--?(?:api[-_]?key\b|x-api-key\b)/i
const SHORT_KEY_OPTION = /^--?key(?:=|$)/i

type Taken = {
  /** The name of the command's secret input. */
  readonly field?: string | undefined
  /** The options of the command: one called `key` names a file. */
  readonly flags?: readonly string[]
}

/** Other users of a machine can see the arguments of a program. */
export function refuseSecrets(args: readonly string[], { field, flags = [] }: Taken = {}): void {
  const isKeyOption = (arg: string): boolean =>
    KEY_OPTION.test(arg) || (SHORT_KEY_OPTION.test(arg) && !flags.includes('key'))
  if (!args.some((arg) => hasSecret(arg) || isKeyOption(arg))) return
  const instead =
    field === undefined
      ? 'set STAKEWRIGHT_API_KEY (STAKEWRIGHT_TOKEN for a token), or save one in a profile.'
      : `give it as JSON, { "${field}": "…" }, by --input - (standard input) or --input @FILE.`
  throw new Misuse(`Keys are never arguments, which others on this machine can read: ${instead}`)
}

/** Removes arguments that may be part of a key or token from a failure's texts. */
export function withoutSecrets(failure: Failure, argv: readonly string[]): Failure {
  const words = argv.flatMap((arg) => arg.split(/[=@\s"]/)).filter(mayBeSecret)
  const hide = (text: string) => words.reduce((rest, word) => rest.replaceAll(word, '…'), text)
  return {
    ...failure,
    message: hide(failure.message),
    fix: failure.fix && hide(failure.fix),
    details: failure.details?.map((detail) => ({
      ...detail,
      field: hide(detail.field),
      message: hide(detail.message),
    })),
  }
}

/** A name that a caller made up, for an error: it may be a key or a phrase, and is then not shown. */
export const shownName = (name: string): string =>
  /^[\w.-]{1,40}$/.test(name) && !mayBeSecret(name) ? name : '…'

/**
 * A key of this service, also cut short or with another prefix, and long words of letters and digits that are no id
 * of a chain or of an agent. The fields of requests, and words that are nearly one, are no secrets.
 */
const mayBeSecret = (word: string): boolean =>
  word.startsWith('stk_') ||
  (!IS_ID.test(word) &&
    (isCutKey(word) || isLongMixture(word)) &&
    nearestName(word, requestFields()) === undefined)

/** `max_turnover` begins like a key as well, but goes on in lower-case words that can be pronounced. */
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
