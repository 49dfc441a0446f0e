import type { NetworkView } from '#domain/network/network-view.ts'
import { rememberCalibrations } from '#domain/staking/forecast/current-calibration.ts'
import type { PastRates } from '#domain/staking/forecast/past-market.ts'
import { type PastProjections, rememberProjections } from '#domain/staking/forecast/past-projections.ts'
import { storeUnderTest } from '../test-store.ts'

type Restore = () => Promise<NetworkView | undefined>

/** Key: the store under test. */
const restored = new Map<string, Promise<NetworkView | undefined>>()

/**
 * The network as a service restores it from a copy of the first start. It is the same for all services of this process,
 * and reading and scoring it is half of the work of opening one, so that all share the first result.
 */
export async function restoreOnce(restore: Restore): Promise<NetworkView | undefined> {
  const store = storeUnderTest()
  const first = restored.get(store) ?? restore()
  restored.set(store, first)
  try {
    const view = await first
    return view && withOwnPast(view)
  } catch (error) {
    restored.delete(store)
    throw error
  }
}

/** A view is immutable but for its cache of past projections, to which each service adds its later epochs. */
function withOwnPast(view: NetworkView): NetworkView {
  const { snapshot, history } = view
  const known = pastOf(view.projections, snapshot.epoch.number)
  const projections = rememberProjections(snapshot, history, { ...view.projections, known })
  return { ...view, projections, calibration: rememberCalibrations(snapshot, history, projections) }
}

/** A separate cache for later epochs. Those up to `newestEpoch` are read from the shared one. */
function pastOf(shared: PastProjections, newestEpoch: number): Map<number, PastRates> {
  const own = new Map<number, PastRates>()
  const get = own.get.bind(own)
  own.get = (epoch) => get(epoch) ?? (epoch <= newestEpoch ? shared.at(epoch) : undefined)
  return own
}
