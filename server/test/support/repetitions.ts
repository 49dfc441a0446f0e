import { numberVariable } from '../../../test/number-variable.ts'

/** By how much properties are tried more often than usual. */
export const PROPERTY_RUNS = numberVariable('PROPERTY_RUNS', 1)

/** How often a property is tried. `PROPERTY_RUNS=10 npm test` tries it ten times as often. */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Math.ceil(usual * PROPERTY_RUNS),
})

/** How often a process is killed or restarted; `CRASH_ROUNDS=50 npm test -- crash` does it more often than usual. */
export const crashRounds = (usual: number): number => numberVariable('CRASH_ROUNDS', usual)
