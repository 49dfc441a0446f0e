/**
 * npm run bench [-- name …]: figures as ratios, measured side by side in one run. Server on the first core, load on
 * the others; the median of interleaved rounds, with the range it was seen in.
 */

import { benchAddressTiming } from './address-timing.ts'
import { moveToOtherCores } from './contender.ts'
import { benchExpress } from './express.ts'
import { benchGrowth } from './growth.ts'
import { benchHotPath } from './hot-path.ts'
import { benchKeyTiming } from './key-timing.ts'
import { benchOverload } from './overload.ts'
import { benchPublicData } from './public-data.ts'
import { benchScale } from './scale.ts'

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  public: benchPublicData,
  'hot-path': benchHotPath,
  growth: benchGrowth,
  'key-timing': benchKeyTiming,
  express: benchExpress,
  scale: benchScale,
  'address-timing': benchAddressTiming,
  overload: benchOverload,
  allocate: async () => (await import('./allocate.ts')).benchAllocate(),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(
    `There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`,
  )
  process.exit(2)
}
moveToOtherCores()
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench()
}
