/**
 * npm run bench [-- name …]: ratios, measured side by side in one run. The server runs on the first core, the load on
 * the others. Figures are medians of interleaved rounds, with their range. Slow benches run only by name.
 */
import { parseArgs } from 'node:util'
import { benchAgainst } from './against.ts'
import { benchBackup } from './backup.ts'
import { benchBytes } from './bytes.ts'
import { moveToOtherCores } from './contenders/contender.ts'
import { benchExpress } from './express.ts'
import { benchGrowth } from './growth.ts'
import { benchHotPath } from './hot-path.ts'
import { benchPolicies } from './mandates/policies.ts'
import { benchOverload } from './overload.ts'
import { benchProfile } from './profile.ts'
import { benchPublicData } from './public-data.ts'
import { benchScale } from './scale.ts'
import { benchSoak } from './soak.ts'
import { benchAddressTiming } from './timing/address-timing.ts'
import { benchKeyTiming } from './timing/key-timing.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The duration of a soak. */
    minutes: { type: 'string', default: '10' },
    /** The number of logged requests for `profile`. */
    rows: { type: 'string', default: '10000000' },
  },
})

/** `against` takes the commit to compare with. */
const isAgainst = positionals[0] === 'against'
const wanted = isAgainst ? ['against'] : positionals

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  public: benchPublicData,
  'hot-path': benchHotPath,
  policies: benchPolicies,
  windows: async () => (await import('./mandates/windows.ts')).benchWindows(),
  growth: benchGrowth,
  'key-timing': benchKeyTiming,
  express: benchExpress,
  scale: benchScale,
  bytes: benchBytes,
  backup: benchBackup,
  'address-timing': benchAddressTiming,
  overload: benchOverload,
  'first-start': async () => (await import('./first-start.ts')).benchFirstStart(),
  allocate: async () => (await import('./allocate.ts')).benchAllocate(),
  web: async () => (await import('./web.ts')).benchWeb(),
  parts: async () => (await import('./parts.ts')).benchParts(),
  edge: async () => (await import('./edge.ts')).benchEdge(),
  tokens: async () => (await import('./tokens.ts')).benchTokens(),
}
const BY_NAME: typeof BENCHES = {
  against: () => benchAgainst(positionals[1] ?? 'HEAD'),
  soak: () => benchSoak({ minutes: Number(values.minutes) }),
  profile: () => benchProfile({ rows: Number(values.rows) }),
}

const all = { ...BENCHES, ...BY_NAME }
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.`)
  process.exit(2)
}
moveToOtherCores()
for (const [name, bench] of Object.entries(all)) {
  if (wanted.length === 0 ? name in BENCHES : wanted.includes(name)) await bench()
}
