import {
  type EndpointName,
  isTool,
  namesEndpoint,
  ROUTES,
  replaceCalls,
  toolName,
} from '@stakewright/contract'

/** Endpoints in the words of MCP. */

/** Replaces calls and headers of the API in a text by tools and arguments. Calls that are no tool stay. */
export const toolWords = (text: string): string =>
  replaceCalls(
    text
      .replaceAll('Idempotency-Key', 'idempotencyKey')
      .replaceAll('`body`', '`arguments`')
      .replaceAll('Send it as X-API-Key.', 'Set it in your MCP client.')
      .replaceAll('see /openapi.json', 'see the resource stakewright://schema/{tool}'),
    {
      call: (endpoint) => (isTool(endpoint) ? toolName(endpoint) : undefined),
      name: (endpoint) => (isTool(endpoint) ? `\`${toolName(endpoint)}\`` : undefined),
    },
  ).replaceAll(SHORT_PATH, (path) => {
    const name = BY_SHORT_PATH.get(path)
    return name === undefined ? path : toolName(name)
  })

/** The abbreviated paths in texts about transactions. */
const SHORT_PATH = /(?<!\/)\b(?:tx|policy)\/[a-z]+\b/g

const BY_SHORT_PATH: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(ROUTES) as EndpointName[]).flatMap((name) =>
    (ROUTES[name].path.match(/\b(?:tx|policy)\/[a-z]+$/g) ?? []).map((path) => [path, name] as const),
  ),
)

/** Methods and headers of HTTP. */
const OF_HTTP = /\b(?:HEAD|OPTIONS|GET|POST|PUT|DELETE|HTTP)\b|`(?:[A-Z][a-z]+-[\w-]+|Accept|ETag)\b/

/** The description of a tool or a field. Sentences about HTTP or endpoints without a tool are dropped. */
export const toolText = (text: string): string =>
  toolWords(text)
    .replaceAll(/\bendpoint(s?)\b/g, 'tool$1')
    .split(/(?<=\.) (?=[A-Z`])/)
    .filter((sentence) => !namesNoTool(sentence))
    .join(' ')

/** Endpoints that are tools were replaced before, so a remaining name is not a tool. */
const namesNoTool = (sentence: string): boolean => OF_HTTP.test(sentence) || namesEndpoint(sentence)
