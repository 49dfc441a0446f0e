import {
  type EndpointName,
  isTool,
  namesEndpoint,
  ROUTES,
  replaceCalls,
  toolName,
} from '@stakewright/contract'

/** Endpoints in the words of MCP. */

/**
 * A text that names calls and headers of the API, with the tools and arguments that do the same. A call that is no tool
 * stays.
 */
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

/** The end of a path, as texts about transactions have it. */
const SHORT_PATH = /(?<!\/)\b(?:tx|policy)\/[a-z]+\b/g

const BY_SHORT_PATH: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(ROUTES) as EndpointName[]).flatMap((name) =>
    (ROUTES[name].path.match(/\b(?:tx|policy)\/[a-z]+$/g) ?? []).map((path) => [path, name] as const),
  ),
)

/** What HTTP alone has: methods and headers. */
const OF_HTTP = /\b(?:HEAD|OPTIONS|GET|POST|PUT|DELETE|HTTP)\b|`(?:[A-Z][a-z]+-[\w-]+|Accept|ETag)\b/

/** A text that describes a tool or a field of it. What it says about anything that no tool has is left out, by sentence. */
export const toolText = (text: string): string =>
  toolWords(text)
    .replaceAll(/\bendpoint(s?)\b/g, 'tool$1')
    .split(/(?<=\.) (?=[A-Z`])/)
    .filter((sentence) => !namesNoTool(sentence))
    .join(' ')

/** Tools are named by now, so an endpoint that is still named is none. */
const namesNoTool = (sentence: string): boolean => OF_HTTP.test(sentence) || namesEndpoint(sentence)
