import { type EndpointName, ROUTES } from '../routes.ts'

/** Texts of the API name a call by method and path, and an endpoint by its name in backquotes. */
const CALL = /\b([A-Z]+) (\/api\/[\w/{}-]+)(?:\?[\w=&]*)?/g
/** A name of one word may be a field's as well, so it is not taken for an endpoint. */
const NAME = /`([a-z]+[A-Z]\w*)`/g

const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(ROUTES, name)

const BY_CALL: ReadonlyMap<string, EndpointName> = new Map(
  Object.entries(ROUTES).flatMap(([name, { method, path }]) =>
    isEndpoint(name) ? [[`${method} ${path}`, name] as const] : [],
  ),
)

/** The endpoint of a method and a path template. */
export const endpointAt = (method: string, path: string): EndpointName | undefined =>
  BY_CALL.get(`${method} ${path}`)

/** The endpoints whose calls a text names, in its order. */
export const calledIn = (text: string): readonly EndpointName[] =>
  [...text.matchAll(CALL)].flatMap(([, method = '', path = '']) => endpointAt(method, path) ?? [])

/** Whether a text has the name of an endpoint in it. */
export const namesEndpoint = (text: string): boolean =>
  [...text.matchAll(NAME)].some(([, name = '']) => isEndpoint(name))

type Replacements = {
  /** What stands for a call, and for a name with its backquotes; undefined: it stays. */
  readonly call: (endpoint: EndpointName) => string | undefined
  readonly name: (endpoint: EndpointName) => string | undefined
}

/** A text of the API in the words of another interface. */
export const replaceCalls = (text: string, { call, name }: Replacements): string =>
  text
    .replaceAll(CALL, (whole, method: string, path: string) => {
      const endpoint = endpointAt(method, path)
      return (endpoint && call(endpoint)) ?? whole
    })
    .replaceAll(NAME, (quoted, word: string) => (isEndpoint(word) ? name(word) : undefined) ?? quoted)
