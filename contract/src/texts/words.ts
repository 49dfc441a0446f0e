import { type EndpointName, isEndpoint, ROUTES } from '../routes.ts'

/** The terms that each interface (HTTP, MCP, command line) words in its own way, and the name of each endpoint's call. */
export type Words = {
  readonly call: (endpoint: EndpointName) => string
  /** The header or argument with the idempotency key. */
  readonly idempotencyKey: string
  /** The request as a whole, if no single field is wrong. */
  readonly input: string
  readonly sendKey: string
  readonly sendToken: string
  /** Where the forms of all requests are described. */
  readonly schema: string
}

export type Term = Exclude<keyof Words, 'call'>

export const REST_WORDS: Words = {
  call: (endpoint) => `${ROUTES[endpoint].method} ${ROUTES[endpoint].path}`,
  idempotencyKey: 'Idempotency-Key',
  input: 'body',
  sendKey: 'Send it as X-API-Key',
  sendToken: 'Send it as Authorization: Bearer',
  schema: '/openapi.json',
}

/** The placeholder for a call or a term in a text, which each interface replaces by its own words. */
export const markOf = (name: EndpointName | Term): string => `{{${name}}}`

const MARK = /\{\{(\w+)\}\}/g

const isTerm = (name: string): name is Term => Object.hasOwn(REST_WORDS, name) && name !== 'call'

export const inWords = (text: string, words: Words): string =>
  text.replaceAll(MARK, (mark, name: string) => {
    if (isEndpoint(name)) return words.call(name)
    return isTerm(name) ? words[name] : mark
  })

/** Rewords a text from the terms of one interface to those of another. */
export function translate(text: string, from: Words, to: Words): string {
  const marks = new Map(
    [...Object.keys(ROUTES).filter(isEndpoint), ...Object.keys(REST_WORDS).filter(isTerm)].map((name) => [
      inWords(markOf(name), from),
      markOf(name),
    ]),
  )
  const longestFirst = [...marks.keys()].sort((one, other) => other.length - one.length)
  const any = new RegExp(`(?<![\\w/])(?:${longestFirst.map(escaped).join('|')})(?![\\w/{-])`, 'g')
  return inWords(
    text.replaceAll(any, (words) => marks.get(words) ?? words),
    to,
  )
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** The description of an endpoint in the HTTP documentation, which refers to other endpoints by their names. */
export const httpDescription = ({ description, overHttp }: Described): string =>
  inWords([description, overHttp ?? []].flat().join(' '), { ...REST_WORDS, call: (endpoint) => endpoint })

type Described = { readonly description: string; readonly overHttp?: string | undefined }
