import { PLANNED_IDS } from './genesis-plan.ts'
import { idFrom } from './world.ts'

/** Whether the address is that of a delegator or operator that was made with the chain, whose stake no key holds. */
export const isSimulatedOwner = (chainId: string, owner: string): boolean =>
  Array.from({ length: PLANNED_IDS }, (_, at) => at + 1).some((number) => idFrom(chainId, number) === owner)
