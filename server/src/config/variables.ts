import { LIMITS } from '@stakewright/contract/limits'
import { NETWORK_NAMES } from '@stakewright/contract/networks'
import { DAY_MS } from '../durations.ts'
import { hostList } from './host-list.ts'
import { timedSecret } from './intent-keys.ts'
import { headersByHost, rpcEndpoints } from './rpc-endpoints.ts'
import {
  anyText,
  emailAddress,
  listOf,
  matching,
  oneOf,
  origin,
  secretText,
  sender,
  url,
  type Value,
  whole,
} from './values.ts'

export type Variable = {
  readonly description: string
  /** The default, as in the environment. Undefined: the variable has no default. */
  readonly default?: string
  readonly value: Value<unknown>
  /** The secret part: the whole value, or passwords and keys in a URL. */
  readonly secret?: 'whole' | 'url'
}

const COUNT = whole(1, 1_000_000_000)

/** All variables that the service reads from the environment, in the order of the help text. */
export const VARIABLES = {
  PORT: {
    description: 'The port to listen on; 0 takes any free one.',
    default: '3000',
    value: whole(0, 65_535),
  },
  HOST: {
    description: 'The address to listen on; 0.0.0.0 for all of them.',
    default: '127.0.0.1',
    value: matching(/^[\w.:%-]+$/, 'an IP address or a host name'),
  },
  PUBLIC_URL: {
    description:
      'Where the service is reached from outside, for links in mails. Unset: the address it listens on.',
    value: url('http', 'https'),
  },
  TRUST_PROXY_HOPS: {
    description: 'How many reverse proxies stand in front; that many X-Forwarded-For entries are believed.',
    default: '0',
    value: whole(0, 10),
  },
  CORS_ORIGINS: {
    description:
      'Pages of these origins may send keyed calls from browsers, comma-separated: https://app.example.org.',
    value: listOf(origin),
  },
  REQUEST_TIMEOUT_MS: {
    description: 'The longest a request may take: reading, working and writing.',
    default: String(LIMITS.requestMs),
    value: whole(100, 60_000),
  },
  WORKERS: {
    description: 'Processes that share the port. More than one needs DATABASE_URL.',
    default: '1',
    value: whole(1, 64),
  },

  DATA_DIR: {
    description: 'The folder of the embedded database, the generated secrets and the mail outbox.',
    default: './data',
    value: anyText,
  },
  DATABASE_URL: {
    description:
      'postgres://… to keep the data in Postgres; several hosts, separated by commas: the primary among them. Unset: an embedded SQLite database in DATA_DIR.',
    value: hostList('postgres', 'postgresql'),
    secret: 'url',
  },
  SQLITE_SYNCHRONOUS: {
    description:
      'full: a commit survives a power cut, but for counts of public reads. normal: faster; a power cut may undo the last commits.',
    default: 'full',
    value: oneOf(['full', 'normal']),
  },
  REDIS_URL: {
    description:
      'redis://… to keep the counters in Redis, or redis+sentinel://host,host/name. Unset: in the database.',
    value: hostList('redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'),
    secret: 'url',
  },

  NETWORK: {
    description: 'The chain to serve: sandbox is simulated in this process; the others need SUI_RPC_URLS.',
    default: 'sandbox',
    value: oneOf(NETWORK_NAMES),
  },
  SUI_RPC_URLS: {
    description:
      'The gRPC endpoints of full nodes (gRPC-web), comma-separated, the preferred one first; or as JSON, with headers: [{"url":"https://…","headers":{"x-token":"…"}}].',
    value: rpcEndpoints,
    secret: 'url',
  },
  SUI_RPC_HEADERS: {
    description:
      'Headers for these endpoints, as JSON from host to headers: {"node.example.org":{"x-token":"…"}}.',
    value: headersByHost,
    secret: 'whole',
  },
  SUI_RPC_CALLS: {
    description:
      'How many calls each of these endpoints allows this instance in 30 s; public ones allow 100 in all. Requests of agents use four tenths at most, the rest keeps the data fresh.',
    default: '100',
    value: whole(20, 1_000_000),
  },
  SUI_GRAPHQL_URL: {
    description:
      'A GraphQL RPC of Sui, from which delegators and `claimableStake` are listed. Unset: neither is available.',
    value: url('https', 'http'),
    secret: 'url',
  },
  SUI_GRAPHQL_OBJECTS: {
    description: 'How many staked tokens are listed from it at most; 50 to a call, two calls a second.',
    default: '50000',
    value: whole(50, 5_000_000),
  },
  REFRESH_MS: {
    description: 'How often the chain is read. Transactions need data at most 60 s old.',
    default: '5000',
    value: whole(250, 30_000),
  },
  PRICE_URL: {
    description:
      "A price source in the form of CoinGecko's simple/price. Unset: the sandbox has its own price.",
    value: url('https', 'http'),
    secret: 'url',
  },
  SANDBOX_SEED: {
    description: 'The simulated chain is the same for the same seed.',
    default: '1',
    value: whole(0, 4_294_967_295),
  },
  SANDBOX_EPOCH_MS: {
    description: 'How long an epoch of the simulated chain takes.',
    default: '600000',
    value: whole(1_000, 30 * DAY_MS),
  },

  KEY_PREFIX: {
    description: 'API keys start with it, so that a leaked one is recognised.',
    default: 'stk',
    value: matching(/^[a-z][a-z0-9]{1,7}$/, '2 to 8 lower-case letters and digits, a letter first'),
  },
  KEY_PEPPER: {
    description:
      'The secret that API keys are hashed with; losing it ends every key. Unset: generated once into DATA_DIR.',
    value: secretText,
    secret: 'whole',
  },
  JWT_SECRET: {
    description: 'The secret that user tokens are signed with. Unset: generated once into DATA_DIR.',
    value: secretText,
    secret: 'whole',
  },
  JWT_ISSUER: {
    description: 'The issuer that user tokens must name.',
    default: 'stakewright',
    value: anyText,
  },
  JWT_AUDIENCE: {
    description: 'The audience that user tokens must name.',
    default: 'stakewright',
    value: anyText,
  },
  JWT_JWKS_URL: {
    description:
      'The keys of an outside issuer of user tokens; needs JWT_ISSUER and JWT_AUDIENCE. Its tokens with the claim role: "admin" make admins.',
    value: url('https', 'http'),
    secret: 'url',
  },
  INTENT_KEYS: {
    description:
      'Keys that sign intents, as SECRET@TIME, comma-separated: each signs from its time on. Unset: one key for good, generated once into DATA_DIR, or made of KEY_PEPPER with DATABASE_URL.',
    value: listOf(timedSecret),
    secret: 'whole',
  },
  ADMIN_EMAILS: {
    description:
      'Users with these verified addresses are admins; comma-separated. With JWT_JWKS_URL, so are those whose tokens say role: "admin".',
    value: listOf(emailAddress),
  },

  ADMIN_TOTP: {
    description:
      'required: admins who sign in by mail do nothing without an authenticator app. optional: those who have enrolled one.',
    default: 'optional',
    value: oneOf(['required', 'optional']),
  },

  SMTP_URL: {
    description: 'smtp://user:password@host to send mail. Unset: each mail is a file in DATA_DIR/outbox.',
    value: url('smtp', 'smtps'),
    secret: 'url',
  },
  SECURITY_CONTACT: {
    description: 'mailto: or https: URL for reports of vulnerabilities, shown in /.well-known/security.txt.',
    value: matching(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'a mailto: or https: URL'),
  },
  MAIL_FROM: {
    description: 'The sender of mails.',
    default: 'Stakewright <no-reply@localhost>',
    value: sender,
  },

  LIMIT_IP_RPM: {
    description: 'Requests per minute from one address.',
    default: String(LIMITS.ipPerMinute),
    value: COUNT,
  },
  LIMIT_IP_CONNECTIONS: {
    description: `Open connections from one address, to each process. Unset: ${LIMITS.connectionsPerIp}, or no limit behind proxies.`,
    value: COUNT,
  },
  LIMIT_GLOBAL_RPM: {
    description:
      'Requests in 60 s from everybody; above it, requests without a key are refused, and those with a key only if they alone exceed it.',
    default: String(LIMITS.globalPerMinute),
    value: COUNT,
  },
  LIMIT_REGISTER_IP_HOUR: {
    description: 'Registrations per hour from one address; also code requests, counted apart.',
    default: String(LIMITS.registrationsPerIpHour),
    value: COUNT,
  },
  LIMIT_REGISTER_IP_DAY: {
    description: 'Registrations per day from one address; also code requests, counted apart.',
    default: String(LIMITS.registrationsPerIpDay),
    value: COUNT,
  },
  LIMIT_REGISTER_DAY: {
    description:
      'Registrations per day from everybody; also code requests for addresses that have never signed in, counted apart.',
    default: String(LIMITS.registrationsPerDay),
    value: COUNT,
  },
  LIMIT_AGENTS_PER_OWNER: {
    description: 'Agents of one owner; those that were revoked on the same UTC day count. Admins give more.',
    default: String(LIMITS.agentsPerOwner),
    value: COUNT,
  },

  AUDIT_ANCHOR_FILE: {
    description:
      'A second place for the mark of where the audit log ends, such as a file on another disk. Unset: in DATA_DIR only.',
    value: anyText,
  },
  AUDIT_RETENTION_DAYS: {
    description: 'How many whole UTC days the audit log is kept.',
    default: '90',
    value: whole(1, 36_500),
  },
  METRICS_PORT: {
    description:
      'Serves /metrics on this port and not on PORT, without authentication unless METRICS_TOKEN is set.',
    value: whole(0, 65_535),
  },
  METRICS_TOKEN: {
    description:
      'Serves /metrics to requests with this token in Authorization: Bearer. Neither set: to requests from this machine that show no sign of a proxy.',
    value: secretText,
    secret: 'whole',
  },
  LOG_LEVEL: {
    description: 'What is logged: this level and the ones after it.',
    default: 'info',
    value: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  },
} as const satisfies Readonly<Record<string, Variable>>

type Table = typeof VARIABLES
type Read<V> = V extends { readonly value: Value<infer T> } ? T : never

export type VariableName = keyof Table

/** The parsed values; a variable with a default always has one. */
export type Values = {
  readonly [Name in VariableName]: Table[Name] extends { readonly default: string }
    ? Read<Table[Name]>
    : Read<Table[Name]> | undefined
}
