/** The architecture rules as data: the folders of each layer, and what each layer may import. */

export type Layer =
  | 'contract'
  | 'JSON texts'
  | 'client'
  | 'client for Sui'
  | 'verify'
  | 'cli'
  | 'server'
  | 'wiring'
  | 'operator'
  | 'config'
  | 'basics'
  | 'ports'
  | 'domain'
  | 'api'
  | 'http'
  | 'http/wire'
  | 'http/mcp'
  | 'mcp'
  | 'discovery'
  | 'web'
  | 'web app'
  | 'jobs'
  | `adapters/${string}`

type Rule = {
  /** The layers that may be imported, besides the layer itself. `types of …` allows type imports only. */
  readonly layers: readonly (Layer | `types of ${Layer}` | 'adapters')[]
  /** Single files of other layers that may be imported as well. */
  readonly files?: readonly string[]
  readonly node: boolean
  readonly instead: string
}

/** Undefined for files outside all layers (tests, benchmarks, scripts, examples), which may import anything. */
export function layerOf(path: string): Layer | undefined {
  if (/\.test\.ts$|\/test\/|^(?:test|bench|scripts|examples|docs|ops)\//.test(path)) return undefined
  return LAYERS.find(([pattern]) => pattern.test(path))?.[1] ?? adapterOf(path)
}

function adapterOf(path: string): Layer | undefined {
  const folder = /^server\/src\/adapters\/(?<name>[^/]+)\//.exec(path)?.groups?.['name']
  return folder === undefined ? undefined : `adapters/${folder}`
}

const LAYERS: readonly (readonly [RegExp, Layer])[] = [
  [/^contract\/src\/texts\/json-keys\.ts$/, 'JSON texts'],
  [/^contract\/src\//, 'contract'],
  [/^client\/src\/sui(?:\.ts$|\/)/, 'client for Sui'],
  [/^client\/src\//, 'client'],
  [/^verify\/src\//, 'verify'],
  [/^cli\/src\//, 'cli'],
  [/^server\/src\/config(?:\.ts$|\/)/, 'config'],
  [/^server\/src\/(?:(?:fault|durations|networks|shards)\.ts$|(?:basics|secrets)\/)/, 'basics'],
  [/^server\/src\/ports\//, 'ports'],
  [/^server\/src\/domain\//, 'domain'],
  [/^server\/src\/api\//, 'api'],
  [/^server\/src\/http\/wire\//, 'http/wire'],
  [/^server\/src\/http\/mcp\//, 'http/mcp'],
  [/^server\/src\/http\//, 'http'],
  [/^server\/src\/mcp\//, 'mcp'],
  [/^server\/src\/discovery\//, 'discovery'],
  [/^server\/src\/web\//, 'web'],
  [/^web\/src\//, 'web app'],
  [/^server\/src\/jobs\//, 'jobs'],
  [/^server\/src\/wiring\//, 'wiring'],
  [/^server\/src\/operator\//, 'operator'],
  [/^server\/src\/[^/]+\.ts$/, 'server'],
]

const RULES = {
  'JSON texts': {
    layers: [],
    node: false,
    instead: 'It reads JSON of any service: keep it free of the API and of every library.',
  },
  contract: {
    layers: [],
    node: false,
    instead: 'The contract is data: keep it free of everything but zod and what writes OpenAPI from it.',
  },
  client: {
    layers: ['contract'],
    node: false,
    instead: 'The client runs anywhere, without dependencies: use what every runtime has.',
  },
  'client for Sui': {
    layers: ['client', 'contract'],
    node: false,
    instead: 'The client runs anywhere: use what every runtime has.',
  },
  verify: {
    layers: [],
    node: false,
    instead: 'The verifier trusts nobody: it knows neither the service nor its contract, only the Sui SDK.',
  },
  cli: {
    layers: ['client', 'verify', 'server', 'operator', 'config', 'contract', 'JSON texts'],
    node: true,
    instead: 'Call the service through the client.',
  },
  server: {
    layers: ['wiring', 'config', 'basics', 'types of ports', 'adapters'],
    node: true,
    instead: 'Open it in wiring/ and pass it on.',
  },
  wiring: {
    layers: [
      'config',
      'basics',
      'types of ports',
      'domain',
      'api',
      'http',
      'types of http/wire',
      'mcp',
      'http/mcp',
      'discovery',
      'web',
      'jobs',
      'adapters',
      'contract',
    ],
    node: true,
    instead: 'Put it behind a port and give the library to an adapter.',
  },
  operator: {
    layers: ['wiring', 'config', 'basics', 'types of ports', 'domain', 'adapters', 'contract'],
    node: true,
    instead: 'Put it behind a port and give the library to an adapter.',
  },
  config: {
    layers: ['basics', 'contract'],
    node: true,
    instead: 'Configuration only turns text into values.',
  },
  basics: {
    layers: ['types of contract'],
    node: false,
    instead: 'Faults, durations and the table of networks are plain: keep them free of other layers.',
  },
  ports: {
    layers: ['types of contract'],
    node: false,
    instead: 'Ports are types and may import only the contract: declare the type there.',
  },
  domain: {
    layers: ['types of ports', 'basics'],
    node: false,
    instead: 'Describe what the rule needs as a port, and let an adapter bring it.',
  },
  api: {
    layers: ['domain', 'basics', 'types of ports', 'contract'],
    node: true,
    instead: 'Endpoints know no transport: let it pass what they need as a part of the call.',
  },
  'http/wire': {
    layers: ['JSON texts'],
    files: ['server/src/fault.ts', 'server/src/basics/once-unless-failed.ts'],
    node: true,
    instead: 'This folder knows of the service only its refusals: take what it needs as a hook or an option.',
  },
  http: {
    layers: ['http/wire', 'api', 'domain', 'basics', 'types of ports', 'contract'],
    node: true,
    instead: 'Pass an operation in from wiring/ instead.',
  },
  'http/mcp': {
    layers: ['http', 'types of http/wire', 'mcp', 'api', 'basics', 'contract'],
    node: true,
    instead:
      'This folder is MCP over HTTP, and nothing of http/ or api/ knows of it: give them a hook for it.',
  },
  mcp: {
    layers: ['api', 'basics', 'contract'],
    node: true,
    instead: 'Call the endpoint through api/, as every transport does.',
  },
  discovery: {
    layers: ['api', 'types of http/wire', 'contract'],
    node: true,
    instead: 'What programs are told about the service is rendered from the contract.',
  },
  web: {
    layers: ['api', 'http/wire', 'basics', 'contract', 'web app'],
    node: true,
    instead: 'This folder only serves files: what they show comes from the API.',
  },
  'web app': {
    layers: ['client', 'contract'],
    node: false,
    instead: 'The web app runs in a browser and calls the service through the client.',
  },
  jobs: {
    layers: ['domain', 'basics', 'types of ports'],
    node: true,
    instead: 'Pass an operation in from wiring/ instead.',
  },
} as const satisfies Record<Exclude<Layer, `adapters/${string}`>, Rule>

const ADAPTER: Rule = {
  layers: ['types of ports', 'basics', 'JSON texts'],
  node: true,
  instead:
    'Adapters know one technology and no rules: let wiring/ connect them, or move the rule into the domain.',
}

export function ruleOf(layer: Layer): Rule {
  return isAdapter(layer) ? ADAPTER : RULES[layer]
}

export function isAdapter(layer: Layer): layer is `adapters/${string}` {
  return layer.startsWith('adapters/')
}

/** Each library belongs to one folder, so that a new major version affects only that folder. */
export const LIBRARIES: readonly (readonly [RegExp, readonly Layer[]])[] = [
  [/^zod(?:-openapi)?$/, ['contract']],
  [/^node:https?2?$/, ['http/wire']],
  [/^@modelcontextprotocol\/.+$/, ['mcp']],
  [/^(?:preact|preact\/hooks|htm|lean-qr|uplot)$/, ['web app']],
  [/^(?:kysely|pg|node:sqlite)$/, ['adapters/sql']],
  [/^ioredis$/, ['adapters/redis']],
  [/^@mysten\/.+$/, ['adapters/sui', 'client for Sui', 'verify']],
  [/^jose$/, ['adapters/jwt']],
  [/^otpauth$/, ['adapters/totp']],
  [/^nodemailer$/, ['adapters/mail']],
  [/^sonic-boom$/, ['adapters/system']],
]

/** Names that say nothing about what is inside, and so attract everything. */
export const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc', 'lib']

/** Access to the clock, to randomness or to the outside world that is not passed in as an argument. */
export const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\s*\.\s*now\b/g, 'Date.now'],
  [/\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g, 'new Date()'],
  [/\bMath\s*\.\s*random\b/g, 'Math.random'],
  [/\bperformance\s*\.\s*now\b/g, 'performance.now'],
  [/(?<![.\w$])crypto\s*\./g, 'crypto'],
  [/(?<![.\w$])fetch\s*\(/g, 'fetch'],
  [/(?<![.\w$])console\s*\./g, 'console'],
]

export const ENVIRONMENT_READERS = ['server/src/config.ts', 'cli/src/main.ts']
export const PROCESS_OWNERS = ['server/src/main.ts', 'cli/src/main.ts']
