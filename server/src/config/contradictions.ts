import { CALLS, callsToStayFresh } from '../networks.ts'
import { hostsWithoutUrl } from './rpc-endpoints.ts'
import type { Values, VariableName } from './variables.ts'

const withGraphql = ({ SUI_RPC_URLS: nodes = [], SUI_GRAPHQL_URL: url }: Partial<Values>) => [
  ...nodes.map((node) => node.url),
  ...(url === undefined ? [] : [url]),
]

/** The hosts of nodes that are listed more than once, in any spelling. */
function hostsListedTwice(nodes: Values['SUI_RPC_URLS'] = []): readonly string[] {
  const urls = nodes.map(({ url }) => new URL(url))
  const names = urls.map(nameOfNode)
  const twice = urls.filter((_, index) => names.indexOf(names[index] ?? '') !== index)
  return [...new Set(twice.map(({ host }) => host))]
}

/** The parts of a URL that tell two nodes apart: no scheme, no trailing slash, no final dot of the host. */
function nameOfNode({ host, username, password, pathname, search }: URL): string {
  const path = pathname.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  return JSON.stringify([host.replace(/\.(?=:|$)/, ''), username, password, path, search])
}

/** The problem if the nodes allow too few calls for the refresh interval. */
function tooFewCalls({ NETWORK: network, REFRESH_MS: refreshMs, SUI_RPC_CALLS: calls }: Partial<Values>) {
  if (network === undefined || network === 'sandbox' || refreshMs === undefined || calls === undefined)
    return undefined
  const neededEvery = (ms: number) => callsToStayFresh(network, ms) + CALLS.perRequest
  if (calls >= neededEvery(refreshMs)) return undefined
  const rarer = [5_000, 7_500, 10_000, 15_000, 30_000].find(
    (ms) => ms > refreshMs && calls >= neededEvery(ms),
  )
  const remedy = rarer === undefined ? '' : `, or REFRESH_MS to ${rarer} or more`
  return `SUI_RPC_CALLS=${calls} is too little for NETWORK=${network} with REFRESH_MS=${refreshMs}: set it to ${neededEvery(refreshMs)} or more if the nodes allow that many calls in 30 s${remedy}.`
}

/**
 * Problems of values that are valid alone but contradict each other. Values that could not be read are reported
 * elsewhere and skipped here.
 */
export function contradictions(
  values: Partial<Values>,
  isGiven: (name: VariableName) => boolean,
): readonly string[] {
  const missing = (name: VariableName) => !isGiven(name)
  const urlsAreWrong = isGiven('SUI_RPC_URLS') && values.SUI_RPC_URLS === undefined
  const unused = urlsAreWrong ? [] : hostsWithoutUrl(withGraphql(values), values.SUI_RPC_HEADERS ?? {})
  const listedTwice = hostsListedTwice(values.SUI_RPC_URLS)
  const fewCalls = tooFewCalls(values)
  const rules: readonly (readonly [broken: boolean, problem: string])[] = [
    [
      isGiven('DATABASE_URL') && missing('KEY_PEPPER'),
      'KEY_PEPPER is required with DATABASE_URL: every instance must hash keys alike.',
    ],
    [
      isGiven('DATABASE_URL') && missing('JWT_SECRET'),
      'JWT_SECRET is required with DATABASE_URL: every instance must accept the tokens of the others.',
    ],
    [
      values.JWT_SECRET !== undefined && values.JWT_SECRET === values.KEY_PEPPER,
      'JWT_SECRET must be another secret than KEY_PEPPER: whoever learns one of them must not have both.',
    ],
    [
      (values.WORKERS ?? 1) > 1 && missing('DATABASE_URL'),
      'WORKERS above 1 needs DATABASE_URL: the embedded database belongs to one process.',
    ],
    [
      (values.WORKERS ?? 1) > 1 && values.PORT === 0,
      'WORKERS above 1 needs a PORT: with 0 each process would take another one.',
    ],
    [
      values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT,
      'METRICS_PORT must be another port than PORT.',
    ],
    [
      (values.WORKERS ?? 1) > 1 && values.METRICS_PORT === 0,
      'WORKERS above 1 needs a METRICS_PORT that is not 0: each process would take another one.',
    ],
    [
      isGiven('REDIS_URL') && missing('DATABASE_URL'),
      'REDIS_URL needs DATABASE_URL: the embedded database counts by itself.',
    ],
    [
      isGiven('JWT_JWKS_URL') && missing('JWT_ISSUER'),
      'JWT_ISSUER is required with JWT_JWKS_URL: tokens of any other issuer must be refused.',
    ],
    [
      isGiven('JWT_JWKS_URL') && missing('JWT_AUDIENCE'),
      'JWT_AUDIENCE is required with JWT_JWKS_URL: tokens meant for others must be refused.',
    ],
    [
      values.NETWORK !== undefined && values.NETWORK !== 'sandbox' && missing('SUI_RPC_URLS'),
      `SUI_RPC_URLS is required with NETWORK=${values.NETWORK}: the chain is read from a full node.`,
    ],
    [
      isGiven('SUI_RPC_URLS') && missing('NETWORK'),
      'SUI_RPC_URLS needs NETWORK: say which network to read from these nodes. Without it the sandbox is served.',
    ],
    [
      isGiven('SUI_GRAPHQL_URL') && missing('SUI_RPC_URLS'),
      'SUI_GRAPHQL_URL needs SUI_RPC_URLS: it lists delegators, and everything else is read from full nodes.',
    ],
    [fewCalls !== undefined, fewCalls ?? ''],
    [
      listedTwice.length > 0,
      `SUI_RPC_URLS names the same node twice: ${listedTwice.join(', ')}. One node is one witness.`,
    ],
    [
      unused.length > 0,
      `SUI_RPC_HEADERS names hosts that neither SUI_RPC_URLS nor SUI_GRAPHQL_URL has: ${unused.join(', ')}.`,
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, problem]) => problem)
}
