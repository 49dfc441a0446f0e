import { type EndpointName, isTool, ROUTES, toolName } from '@stakewright/contract/routes'

/** The same call in several languages, with a placeholder for the key. */
type CallExample = {
  readonly endpoint: EndpointName
  readonly input: Readonly<Record<string, unknown>>
}

export function snippetsFor({ endpoint, input }: CallExample, origin: string) {
  const body = JSON.stringify(input, null, 2)
  return [
    { name: 'curl', text: toCurl(endpoint, input, origin) },
    { name: 'TypeScript', text: toTypeScript(endpoint, body, origin) },
    { name: 'Python', text: toPython(endpoint, input, origin) },
    ...(isTool(endpoint)
      ? [{ name: 'MCP', text: toMcp(endpoint, input), note: mcpNote(endpoint, origin) }]
      : []),
  ]
}

/** How each language sends the endpoint's credential, taken from an environment variable. */
const CREDENTIALS = {
  none: { curl: '', typeScript: '', python: '' },
  'agent-key': {
    curl: ' \\\n  -H "X-API-Key: $KEY"',
    typeScript: ', apiKey: process.env.KEY',
    python: '"X-API-Key": os.environ["KEY"], ',
  },
  'user-token': {
    curl: ' \\\n  -H "Authorization: Bearer $TOKEN"',
    typeScript: ', token: process.env.TOKEN',
    python: '"Authorization": "Bearer " + os.environ["TOKEN"], ',
  },
} as const

const credentialOf = (endpoint: EndpointName) => CREDENTIALS[ROUTES[endpoint].auth]

function toCurl(endpoint: EndpointName, input: CallExample['input'], origin: string): string {
  const { method } = ROUTES[endpoint]
  const { path, rest } = fillPath(endpoint, input)
  const key = credentialOf(endpoint).curl
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
    const url = `${origin}${path}${query.size > 0 ? `?${query}` : ''}`
    return `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'${key}`
  }
  return `curl -X ${method} '${origin}${path}'${key} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(rest).replaceAll("'", "'\\''")}'`
}

function fillPath(endpoint: EndpointName, input: CallExample['input']) {
  const rest: Record<string, unknown> = { ...input }
  const path = ROUTES[endpoint].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? `{${name}}`))
  })
  return { path, rest }
}

function toTypeScript(endpoint: EndpointName, body: string, origin: string): string {
  const plain = body.replaceAll(/"(\w+)":/g, '$1:').replaceAll(/"((?:[^"\\]|\\.)*)"/g, inSingleQuotes)
  const key = credentialOf(endpoint).typeScript
  return `import { createClient } from '@stakewright/client'

const client = createClient({ baseUrl: '${origin}'${key} })
const answer = await client.${endpoint}(${plain === '{}' ? '' : plain})`
}

const inSingleQuotes = (_: string, text: string): string =>
  `'${text.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

function toPython(endpoint: EndpointName, input: CallExample['input'], origin: string): string {
  const { method } = ROUTES[endpoint]
  const { path, rest } = fillPath(endpoint, input)
  const key = credentialOf(endpoint).python
  const isRead = method === 'GET' || method === 'DELETE'
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  const url = `${origin}${path}${isRead && query.size > 0 ? `?${query}` : ''}`
  const data = isRead ? '' : `\n    data=json.dumps(${toPythonLiteral(rest)}).encode(),`
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",${data}
    headers={${key}"content-type": "application/json"},
    method="${method}",
)
answer = json.load(urllib.request.urlopen(request))`
}

/** A JSON literal is a Python literal except for three words. */
const toPythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None')
    .replaceAll('\n', '\n    ')

/** A complete JSON-RPC message, which works as copied. */
const toMcp = (endpoint: EndpointName, input: CallExample['input']): string =>
  JSON.stringify(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: toolName(endpoint), arguments: input },
    },
    null,
    2,
  )

function mcpNote(endpoint: EndpointName, origin: string): string {
  const key = ROUTES[endpoint].auth === 'agent-key' ? ', X-API-Key with your key' : ''
  return `POST it to ${origin}/mcp with the headers content-type: application/json, accept: application/json, text/event-stream${key}. An MCP client that knows this address sends it by itself.`
}
