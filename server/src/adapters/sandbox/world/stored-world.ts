import type { SandboxStates } from '#ports/chain/sandbox.ts'
import { Fault } from '../../../fault.ts'
import { toText, toWorld } from './state-text.ts'
import type { World } from './world.ts'

/** Upper bound of attempts, if other instances keep writing first. */
const MAX_TRIES = 50

type Needs = {
  readonly states: SandboxStates
  /** The world at the very first start. */
  readonly found: () => World
  /** Throws if the stored world is not the configured one, for example has another seed. */
  readonly accept: (world: World) => void
  /** Advances the world to the present time; returns the same object if nothing is due. */
  readonly catchUp: (world: World) => World
  readonly now: () => number
}

/** Returns the new world (undefined: no change), and the result for the caller. */
type Act<T> = (world: World) => { readonly world: World | undefined; readonly result: T }

export type StoredWorld = {
  /** Reads the present world, including writes of other instances; epochs that are due are run and stored first. */
  read<T>(look: (world: World) => T): Promise<T>
  /** Changes the present world; resolves after the change is stored. */
  change<T>(act: Act<T>): Promise<T>
}

/**
 * One chain for all instances on the same store, by optimistic locking: each call starts from the stored world and is
 * retried if another instance has written first.
 */
export function openStoredWorld(needs: Needs): StoredWorld {
  const stored = openStored(needs)
  let lastQueued: Promise<unknown> = Promise.resolve()
  let nextLook: Promise<World> | undefined

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const queued = lastQueued.then(work)
    lastQueued = queued.catch(() => undefined)
    return queued
  }

  async function act<T>(change: Act<T>): Promise<T> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const start = await stored.present()
      if (start === undefined) continue
      const { world, result } = change(start.world)
      if (world === undefined || (await stored.write(start.version, world)) !== undefined) return result
    }
    throw new Fault('store_not_ready', 'Other instances keep changing the sandbox chain: try again shortly.')
  }

  // Queued reads share one load, which starts after all of them have arrived.
  function present(): Promise<World> {
    nextLook ??= enqueue(() => {
      nextLook = undefined
      return act((world) => ({ world: undefined, result: world }))
    })
    return nextLook
  }

  return {
    read: async (look) => look(await present()),
    change: (change) => enqueue(() => act(change)),
  }
}

type Version = { readonly version: number; readonly world: World }

/**
 * Caches the stored world and loads it again only after another instance has written. Undefined: a write lost the
 * race.
 */
function openStored({ states, found, accept, catchUp, now }: Needs) {
  let known: Version | undefined

  async function write(version: number, world: World): Promise<Version | undefined> {
    const changedAt = Math.max(now(), world.changedAt)
    const next = { version: version + 1, world: { ...world, changes: world.changes + 1, changedAt } }
    if (!(await states.replace(version, toText(next.world)))) return undefined
    known = next
    return next
  }

  async function load(): Promise<Version | undefined> {
    if (known && known.version === (await states.version())) return known
    const stored = await states.load()
    if (stored === undefined) return undefined
    const world = toWorld(stored.state)
    accept(world)
    known = { version: stored.version, world }
    return known
  }

  async function present(): Promise<Version | undefined> {
    const loaded = await load()
    if (loaded === undefined) return write(0, found())
    const due = catchUp(loaded.world)
    return due === loaded.world ? loaded : write(loaded.version, due)
  }

  return { present, write }
}
