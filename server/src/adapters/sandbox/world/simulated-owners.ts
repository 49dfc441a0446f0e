import { PLANNED_IDS } from './genesis-plan.ts'
import { idFrom } from './world.ts'

/** Whether the address belongs to a delegator or operator that was created with the chain. No key holds their stake. */
export const isSimulatedOwner = (chainId: string, owner: string): boolean =>
  Array.from({ length: PLANNED_IDS }, (_, at) => at + 1).some((number) => idFrom(chainId, number) === owner)
