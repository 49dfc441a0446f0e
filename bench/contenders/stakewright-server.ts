/** The service as it is, on a sandbox network of 150 validators. Limits come from the environment. */
import { openSandboxChain } from '@stakewright/server/adapters/sandbox/sandbox-chain.ts'
import { followingClock } from '@stakewright/server/adapters/system/following-clock.ts'
import { jsonLogger } from '@stakewright/server/adapters/system/logs/json-logger.ts'
import { openStandardOutput } from '@stakewright/server/adapters/system/logs/standard-output.ts'
import { prometheusMeters } from '@stakewright/server/adapters/system/metrics/prometheus-meters.ts'
import { systemClock } from '@stakewright/server/adapters/system/system-clock.ts'
import { readConfig } from '@stakewright/server/config.ts'
import type { EpochRecord, StakingChain, Validator } from '@stakewright/server/ports/chain/staking-chain.ts'
import { openApp } from '@stakewright/server/wiring/app.ts'

const VALIDATORS = 150

const read = readConfig()
if (read.kind === 'wrong') throw new Error(read.problems.join(' '))
const clock = read.config.database.kind === 'postgres' ? followingClock({ own: systemClock }) : systemClock
let kept: { readonly version: number; readonly state: string } | undefined
const states = {
  version: async () => kept?.version,
  load: async () => kept,
  async replace(version: number, state: string) {
    kept = { version: version + 1, state }
    return true
  },
}
const sandbox = await openSandboxChain({ seed: 1, epochMs: 86_400_000, clock, states })

const app = await openApp(read.config, {
  clock,
  logger: jsonLogger({ level: read.config.logLevel, output: openStandardOutput() }),
  meters: prometheusMeters({ ofProcess: process }),
  random: Math.random,
  version: '0.1.0',
  forTests: { chain: enlarge(sandbox) },
})
await app.listen()
process.once('SIGTERM', () => app.stop(1_000))
// Collects garbage on request, to measure live memory. Works only in a process started with --expose-gc.
process.on('SIGUSR2', () => globalThis.gc?.())

/** Repeats the validators of the sandbox under new ids until there are `VALIDATORS`. */
function enlarge(chain: StakingChain): StakingChain {
  return {
    ...chain,
    async readSnapshot(deadline) {
      const snapshot = await chain.readSnapshot(deadline)
      return { ...snapshot, validators: repeat(snapshot.validators, (one, id) => ({ ...one, id })) }
    },
    async readEpochs(fromEpoch, deadline) {
      const records = await chain.readEpochs(fromEpoch, deadline)
      const { validators } = await chain.readSnapshot(deadline)
      const byId = Map.groupBy(records, ({ validatorId }) => validatorId)
      return repeat(validators, (one, id): readonly EpochRecord[] =>
        (byId.get(one.id) ?? []).map((record) => ({ ...record, validatorId: id })),
      )
        .flat()
        .toSorted((a, b) => a.epoch - b.epoch)
    },
  }
}

function repeat<T>(validators: readonly Validator[], make: (one: Validator, id: string) => T): readonly T[] {
  return Array.from({ length: VALIDATORS }, (_, at) => {
    const one = validators[at % validators.length]
    if (!one) throw new Error('the sandbox has no validators')
    const round = Math.floor(at / validators.length)
    return make(one, `${one.id.slice(0, -1)}${round}`)
  })
}
