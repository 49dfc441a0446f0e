import { numberVariable } from '../../../test/number-variable.ts'
import { runsAll } from '../../../test/runs-all.ts'

/** The share of usual repetitions that `npm test` does: the first ones. `npm test -- --all` does all of them. */
const SHARE = runsAll() ? 1 : 1 / 3

/** By how much properties are tried more often than usual. */
export const PROPERTY_RUNS = numberVariable('PROPERTY_RUNS', 1)

/** How often a property is tried. `PROPERTY_RUNS=10 npm test` tries it ten times as often as usual. */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.ceil(usual * numberVariable('PROPERTY_RUNS', SHARE)),
})

/** The same for a property whose test promises a number of cases: all of them in every run. */
export const wholeRuns = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.ceil(usual * PROPERTY_RUNS),
})

/** How often a fault, a rotation or an attack is repeated. */
export const rounds = (usual: number): number => Math.ceil(usual * SHARE)

/** How often a process is killed or restarted; `CRASH_ROUNDS=50 npm test -- crash` does it more often than usual. */
export const crashRounds = (usual: number): number => numberVariable('CRASH_ROUNDS', rounds(usual))
