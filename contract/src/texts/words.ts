import { type EndpointName, isEndpoint, ROUTES } from '../routes.ts'

/** What texts of the service name, and each interface calls by words of its own. Calls are named by their endpoints. */
export type Words = {
  readonly call: (endpoint: EndpointName) => string
  /** The header or argument that names a request. */
  readonly idempotencyKey: string
  /** The request as a whole, where no field of it is wrong alone. */
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

/** Stands for a call or a term in a text, until an interface puts its own words there. */
export const markOf = (name: EndpointName | Term): string => `{{${name}}}`

const MARK = /\{\{(\w+)\}\}/g

const isTerm = (name: string): name is Term => Object.hasOwn(REST_WORDS, name) && name !== 'call'

export const inWords = (text: string, words: Words): string =>
  text.replaceAll(MARK, (mark, name: string) => {
    if (isEndpoint(name)) return words.call(name)
    return isTerm(name) ? words[name] : mark
  })

/** A text in the words of one interface, in those of another. */
export function translate(text: string, from: Words, to: Words): string {
  const said = new Map(
    [...Object.keys(ROUTES).filter(isEndpoint), ...Object.keys(REST_WORDS).filter(isTerm)].map((name) => [
      inWords(markOf(name), from),
      markOf(name),
    ]),
  )
  const longestFirst = [...said.keys()].sort((one, other) => other.length - one.length)
  const any = new RegExp(`(?<![\\w/])(?:${longestFirst.map(escaped).join('|')})(?![\\w/{-])`, 'g')
  return inWords(
    text.replaceAll(any, (words) => said.get(words) ?? words),
    to,
  )
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** The description of an endpoint in its own documentation, where others are known by their names. */
export const httpDescription = ({ description, overHttp }: Described): string =>
  inWords([description, overHttp ?? []].flat().join(' '), { ...REST_WORDS, call: (endpoint) => endpoint })

type Described = { readonly description: string; readonly overHttp?: string | undefined }
