import { ENDPOINTS, type EndpointName, ROUTES } from '@stakewright/contract'

/** Endpoints in the words of MCP. */

/** Whether an agent can use it: all but what needs a signed-in user. */
export const isTool = (name: EndpointName): boolean =>
  ROUTES[name].auth !== 'user-token' && ENDPOINTS[name].tag !== 'Users'

/** `scoredValidators` becomes `scored_validators`. */
export const toolName = (endpoint: EndpointName): string =>
  endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const BY_CALL: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(ROUTES) as EndpointName[]).map((name) => [
    callOf(ROUTES[name].method, ROUTES[name].path),
    name,
  ]),
)

export const endpointAt = (method: string, path: string): EndpointName | undefined =>
  BY_CALL.get(callOf(method, path))

function callOf(method: string, path: string): string {
  return `${method} ${path}`
}

/** An endpoint that a text calls by its name; a name of one word is the tool's, too. */
const NAME = /`([a-z]+[A-Z]\w*)`/g
const CALL = /\b([A-Z]+) (\/api\/[\w/{}-]+)(\?[\w=&]*)?/g

/**
 * A text that names calls and headers of the API, with the tools and arguments that do the same. A call that is no tool
 * stays.
 */
export const toolWords = (text: string): string =>
  text
    .replaceAll('Idempotency-Key', 'idempotencyKey')
    .replaceAll('`body`', '`arguments`')
    .replaceAll('see /openapi.json', 'see the resource stakewright://schema/{tool}')
    .replaceAll(CALL, (call, method: string, path: string) => {
      const name = endpointAt(method, path)
      return name !== undefined && isTool(name) ? toolName(name) : call
    })
    .replaceAll(NAME, (quoted, name: string) => {
      const isEndpoint = (each: string): each is EndpointName => Object.hasOwn(ROUTES, each)
      return isEndpoint(name) && isTool(name) ? `\`${toolName(name)}\`` : quoted
    })
