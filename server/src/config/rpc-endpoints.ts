import type { Value } from './values.ts'

/** Host → the headers that every request to it carries. */
export type HeadersByHost = Readonly<Record<string, Readonly<Record<string, string>>>>

export type RpcEndpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** Headers that frame a gRPC-web request: another value would only break it. */
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

export function toRpcEndpoints(urls: readonly string[], byHost: HeadersByHost): readonly RpcEndpoint[] {
  return urls.map((url) => {
    const matching = Object.entries(byHost).filter(([host]) => isHostOf(host, url))
    return { url, headers: Object.assign({}, ...matching.map(([, headers]) => headers)) }
  })
}

/** The hosts that have headers but no URL: a misspelt host would otherwise lose its headers silently. */
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
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
