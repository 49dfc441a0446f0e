import { listOf, url, type Value } from './values.ts'

/** Host → headers of all requests to it. */
type HeadersByHost = Readonly<Record<string, Readonly<Record<string, string>>>>

export type RpcEndpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** Headers that gRPC-web sets itself; another value would break the request. */
const RESERVED = ['accept', 'connection', 'content-length', 'content-type', 'host', 'transfer-encoding']

export const headersByHost: Value<HeadersByHost> = {
  expected: `a JSON object from host to headers, each with a text as value, and without ${RESERVED.join(', ')}`,
  read: (text) => {
    const hosts = Object.entries(parseObject(text) ?? { '': undefined })
    const read = hosts.flatMap(([host, headers]) => {
      const valid = readHeaders(headers)
      return valid ? [[host.toLowerCase(), valid] as const] : []
    })
    return read.length === hosts.length ? Object.fromEntries(read) : undefined
  },
}

const nodeUrl = url('https', 'http')
const urlList = listOf(nodeUrl)

/** `https://one,https://two`, or JSON with optional headers: `[{"url":"https://one","headers":{…}}]`. */
export const rpcEndpoints: Value<readonly RpcEndpoint[]> = {
  expected: `${urlList.expected}; or a JSON list of {"url":"https://…","headers":{"x-token":"…"}} (headers by host: SUI_RPC_HEADERS)`,
  read: (text) =>
    isJsonList(text) ? readList(text) : urlList.read(text)?.map((url) => ({ url, headers: {} })),
}

/** Whether a text is meant as a list in JSON. */
export const isJsonList = (text: string): boolean => /^\s*[[{]/.test(text)

function readList(text: string): readonly RpcEndpoint[] | undefined {
  const items = parseJson(text)
  if (!Array.isArray(items) || items.length === 0) return undefined
  const read = items.map(readEndpoint).filter((endpoint) => endpoint !== undefined)
  return read.length === items.length ? read : undefined
}

function readEndpoint(item: unknown): RpcEndpoint | undefined {
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(toFields(item)))
  const [text, given] = [fields.get('url'), fields.get('headers') ?? {}]
  const url = typeof text === 'string' ? nodeUrl.read(text.trim()) : undefined
  const headers = readHeaders(given)
  const isKnown = [...fields.keys()].every((name) => name === 'url' || name === 'headers')
  return url && headers && isKnown ? { url, headers } : undefined
}

const toFields = (item: unknown): object =>
  typeof item === 'string' ? { url: item } : typeof item === 'object' && item !== null ? item : {}

/** Headers of a node itself take precedence over those of its host. */
export function toRpcEndpoints(
  endpoints: readonly RpcEndpoint[],
  byHost: HeadersByHost,
): readonly RpcEndpoint[] {
  return endpoints.map(({ url, headers: own }) => {
    const matching = Object.entries(byHost).filter(([host]) => isHostOf(host, url))
    return { url, headers: Object.assign({}, ...matching.map(([, headers]) => headers), own) }
  })
}

/** Hosts with headers but without a URL, reported because the headers of a misspelt host would silently be unused. */
export function hostsWithoutUrl(urls: readonly string[], byHost: HeadersByHost): readonly string[] {
  return Object.keys(byHost).filter((host) => !urls.some((url) => isHostOf(host, url)))
}

/** The default port may be written or left out. */
function isHostOf(host: string, text: string): boolean {
  const url = new URL(text)
  const defaultPort = url.protocol === 'https:' ? '443' : '80'
  return [url.host, `${url.hostname}:${url.port || defaultPort}`].includes(host)
}

function readHeaders(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  if (!entries.every(([, text]) => typeof text === 'string' && /^[\x20-\x7e]+$/.test(text))) return undefined
  if (!entries.every(([name]) => /^[\w-]+$/.test(name) && !RESERVED.includes(name.toLowerCase())))
    return undefined
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]))
}

function parseObject(text: string): object | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
