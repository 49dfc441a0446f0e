import { numberVariable } from '../../../test/number-variable.ts'

/** How often a process is killed or restarted; `CRASH_ROUNDS=50 npm test -- crash` does it more often than usual. */
export const crashRounds = (usual: number): number => numberVariable('CRASH_ROUNDS', usual)
