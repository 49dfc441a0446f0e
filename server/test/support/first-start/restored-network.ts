import type { NetworkView } from '#domain/network/network-view.ts'
import { rememberCalibrations } from '#domain/staking/forecast/current-calibration.ts'
import {
  type KnownPast,
  nothingKnown,
  type PastProjections,
  rememberProjections,
} from '#domain/staking/forecast/past-projections.ts'
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

/** A view is immutable but for its caches of the past, to which each service adds its later epochs. */
function withOwnPast(view: NetworkView): NetworkView {
  const { snapshot, history } = view
  const known = pastOf(view.projections, snapshot.epoch.number)
  const projections = rememberProjections(snapshot, history, { ...view.projections, known })
  return { ...view, projections, calibration: rememberCalibrations(snapshot, history, projections) }
}

/** Separate caches for later epochs. Values of epochs up to `newestEpoch` are read from the shared ones. */
function pastOf({ at, outcomesAt, flowAt }: PastProjections, newestEpoch: number): KnownPast {
  const own = nothingKnown()
  readThrough(own.rates, (epoch) => (epoch <= newestEpoch ? at(epoch) : undefined))
  readThrough(own.flows, (epoch) => (epoch < newestEpoch ? flowAt(epoch) : undefined))
  readThrough(own.outcomes, (key) => {
    const [origin = 0, epochs = 0] = key.split('+').map(Number)
    return origin + epochs <= newestEpoch ? outcomesAt(origin, epochs) : undefined
  })
  return own
}

function readThrough<K, V>(own: Map<K, V>, shared: (key: K) => V | undefined): void {
  const get = own.get.bind(own)
  own.get = (key) => get(key) ?? shared(key)
}
