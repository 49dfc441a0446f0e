import { join } from 'node:path'
import { LIMITS } from '@stakewright/contract/limits'
import { contradictions } from './config/contradictions.ts'
import { type Misspelt, misspeltIn } from './config/misspelt.ts'
import { type RpcEndpoint, toRpcEndpoints } from './config/rpc-endpoints.ts'
import { hideConfigured } from './config/secrets-of-config.ts'
import { hideSecrets, type Setting } from './config/shown.ts'
import { VARIABLES, type Values, type Variable } from './config/variables.ts'
import { callsToStayFresh } from './networks.ts'
import type { Hide } from './secrets/hide-secrets.ts'

/** One URL per host of a store. */
type HostUrls = readonly [string, ...string[]]

export type Config = {
  readonly http: {
    readonly host: string
    readonly port: number
    readonly publicUrl: string | undefined
    readonly trustProxyHops: number
    readonly requestTimeoutMs: number
    readonly corsOrigins: readonly string[]
    /** Undefined: no limit. */
    readonly connectionsPerAddress: number | undefined
  }
  /** Without port and token the metrics are for this machine only. */
  readonly metrics: { readonly port: number | undefined; readonly token: string | undefined }
  readonly workers: number
  readonly dataDir: string
  readonly database:
    | { readonly kind: 'sqlite'; readonly folder: string; readonly synchronous: 'full' | 'normal' }
    | { readonly kind: 'postgres'; readonly urls: HostUrls }
  /** Undefined: the counters are in the database. */
  readonly redisUrls: HostUrls | undefined
  readonly chain:
    | { readonly kind: 'sandbox'; readonly seed: number; readonly epochMs: number }
    | {
        readonly kind: 'sui'
        readonly network: Exclude<Values['NETWORK'], 'sandbox'>
        readonly nodes: readonly RpcEndpoint[]
        /** Calls that each node allows in 30 s. */
        readonly callsPerWindow: number
        /** Number of these calls reserved for refreshes. */
        readonly reservedCalls: number
        /** The source of delegators, and the most tokens to list. */
        readonly holders: { readonly endpoint: RpcEndpoint; readonly maxObjects: number } | undefined
      }
  readonly refreshMs: number
  readonly priceUrl: string | undefined
  readonly keys: { readonly prefix: string; readonly pepper: string | undefined }
  /** Keys that replace the first one, each from its time on. */
  readonly intentKeys: readonly { readonly secret: string; readonly validFrom: number }[]
  readonly tokens: {
    readonly secret: string | undefined
    readonly issuer: string
    readonly audience: string
    readonly jwksUrl: string | undefined
    readonly adminEmails: readonly string[]
    /** Whether all admins need a second factor, or only those who have enrolled one. */
    readonly adminTotp: Values['ADMIN_TOTP']
  }
  readonly mail: {
    readonly from: string
    readonly transport:
      | { readonly kind: 'outbox'; readonly folder: string }
      | { readonly kind: 'smtp'; readonly url: string }
  }
  readonly limits: {
    readonly ipPerMinute: number
    readonly globalPerMinute: number
    readonly registrationsPerIpHour: number
    readonly registrationsPerIpDay: number
    readonly registrationsPerDay: number
    readonly agentsPerOwner: number
  }
  /** A URL for reports of vulnerabilities. */
  readonly securityContact: string | undefined
  readonly auditAnchorFile: string | undefined
  readonly auditRetentionDays: number
  readonly logLevel: Values['LOG_LEVEL']
  /** All variables with the values in force, without secrets. */
  readonly settings: readonly Setting[]
  readonly misspelt: readonly Misspelt[]
  /** Hides the configured secrets in a text. */
  readonly hide: Hide
}

type ReadConfig =
  | { readonly kind: 'ok'; readonly config: Config }
  /** One sentence per problem. */
  | { readonly kind: 'wrong'; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** Empty variables count as unset; unknown variables are ignored, and named if they are close to a known one. */
export function readConfig(env: Environment = process.env): ReadConfig {
  const read = Object.entries<Variable>(VARIABLES).map(([name, variable]) =>
    readVariable(env, name, variable),
  )
  const problems = read.flatMap((result) => (result.kind === 'wrong' ? [result.problem] : []))
  const values = toValues(
    read.flatMap((result) => (result.kind === 'read' ? [[result.name, result.value]] : [])),
  )
  const all = [...problems, ...contradictions(values, (name) => textOf(env, name) !== undefined)]
  if (all.length > 0) return { kind: 'wrong', problems: all }
  return { kind: 'ok', config: toConfig(values, env) }
}

/** The text of --help. */
export function helpText(): string {
  const lines = Object.entries<Variable>(VARIABLES).flatMap(([name, variable]) => [
    `  ${name}${variable.default === undefined ? '' : `=${variable.default}`}`,
    `      ${variable.description}`,
  ])
  return [
    'Stakewright: staking data, optimal allocations and transaction parameters for automated agents.',
    '',
    '  npm start                      start the service',
    '  npm start -- --help            show this text',
    '  npm start -- --print-config    show the configuration in force, without secrets',
    '',
    'It is configured by environment variables. All are optional; those with a default show it.',
    '',
    ...lines,
    '',
  ].join('\n')
}

/** The text of --print-config: every variable, its value in force, and whether it was given. */
export function describeConfig(config: Config): string {
  const width = Math.max(...config.settings.map((setting) => setting.name.length))
  return config.settings
    .map(
      ({ name, value, source }) =>
        `${name.padEnd(width)}  ${value || '(unset)'}${source === 'default' || value === '' ? '' : '  (given)'}\n`,
    )
    .join('')
}

type ReadVariable =
  | { readonly kind: 'read'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly problem: string }

function readVariable(env: Environment, name: string, variable: Variable): ReadVariable {
  const text = textOf(env, name) ?? variable.default
  if (text === undefined) return { kind: 'read', name, value: undefined }
  const value = variable.value.read(text)
  if (value !== undefined) return { kind: 'read', name, value }
  const shown = variable.secret === undefined ? `, not "${text}"` : ''
  return { kind: 'wrong', problem: `${name} must be ${variable.value.expected}${shown}.` }
}

function textOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

function settingsOf(env: Environment): readonly Setting[] {
  return Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const text = textOf(env, name)
    return {
      name,
      value: hideSecrets(text ?? variable.default ?? '', text === undefined ? undefined : variable.secret),
      source: text === undefined ? 'default' : 'environment',
    }
  })
}

/** The cast holds because each variable is parsed by its own reader; unreadable ones are missing and reported. */
function toValues(entries: readonly (readonly unknown[])[]): Values {
  return Object.fromEntries(entries) as Values
}

function toConfig(values: Values, env: Environment): Config {
  return {
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
      trustProxyHops: values.TRUST_PROXY_HOPS,
      requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
      corsOrigins: values.CORS_ORIGINS ?? [],
      connectionsPerAddress: toConnections(values),
    },
    metrics: { port: values.METRICS_PORT, token: values.METRICS_TOKEN },
    workers: values.WORKERS,
    dataDir: values.DATA_DIR,
    database: toDatabase(values),
    redisUrls: values.REDIS_URL,
    chain: toChain(values),
    refreshMs: values.REFRESH_MS,
    priceUrl: values.PRICE_URL,
    keys: { prefix: values.KEY_PREFIX, pepper: values.KEY_PEPPER },
    intentKeys: values.INTENT_KEYS ?? [],
    tokens: {
      secret: values.JWT_SECRET,
      issuer: values.JWT_ISSUER,
      audience: values.JWT_AUDIENCE,
      jwksUrl: values.JWT_JWKS_URL,
      adminEmails: values.ADMIN_EMAILS ?? [],
      adminTotp: values.ADMIN_TOTP,
    },
    mail: { from: values.MAIL_FROM, transport: toTransport(values) },
    limits: {
      ipPerMinute: values.LIMIT_IP_RPM,
      globalPerMinute: values.LIMIT_GLOBAL_RPM,
      registrationsPerIpHour: values.LIMIT_REGISTER_IP_HOUR,
      registrationsPerIpDay: values.LIMIT_REGISTER_IP_DAY,
      registrationsPerDay: values.LIMIT_REGISTER_DAY,
      agentsPerOwner: values.LIMIT_AGENTS_PER_OWNER,
    },
    securityContact: values.SECURITY_CONTACT,
    auditAnchorFile: values.AUDIT_ANCHOR_FILE,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    settings: settingsOf(env),
    misspelt: misspeltIn(Object.keys(env).filter((name) => textOf(env, name) !== undefined)),
    hide: hideConfigured(values),
  }
}

/** Behind a proxy all connections come from the proxy's address, so there is no limit per address. */
const toConnections = ({ LIMIT_IP_CONNECTIONS: given, TRUST_PROXY_HOPS: hops }: Values) =>
  given ?? (hops > 0 ? undefined : LIMITS.connectionsPerIp)

function toDatabase(values: Values): Config['database'] {
  if (values.DATABASE_URL) return { kind: 'postgres', urls: values.DATABASE_URL }
  return { kind: 'sqlite', folder: values.DATA_DIR, synchronous: values.SQLITE_SYNCHRONOUS }
}

function toChain(values: Values): Config['chain'] {
  if (values.NETWORK !== 'sandbox') {
    const { NETWORK: network, SUI_RPC_URLS: urls = [], SUI_RPC_HEADERS: headers = {} } = values
    const graphql = values.SUI_GRAPHQL_URL ? [{ url: values.SUI_GRAPHQL_URL, headers: {} }] : []
    const [endpoint] = toRpcEndpoints(graphql, headers)
    const holders = endpoint && { endpoint, maxObjects: values.SUI_GRAPHQL_OBJECTS }
    const callsPerWindow = values.SUI_RPC_CALLS
    const reservedCalls = callsToStayFresh(network, values.REFRESH_MS)
    const nodes = toRpcEndpoints(urls, headers)
    return { kind: 'sui', network, nodes, callsPerWindow, reservedCalls, holders }
  }
  return { kind: 'sandbox', seed: values.SANDBOX_SEED, epochMs: values.SANDBOX_EPOCH_MS }
}

function toTransport(values: Values): Config['mail']['transport'] {
  if (values.SMTP_URL) return { kind: 'smtp', url: values.SMTP_URL }
  return { kind: 'outbox', folder: join(values.DATA_DIR, 'outbox') }
}
