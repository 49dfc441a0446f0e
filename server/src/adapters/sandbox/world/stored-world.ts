import type { SandboxStates } from '#ports/chain/sandbox.ts'
import { Fault } from '../../../fault.ts'
import { toText, toWorld } from './state-text.ts'
import type { World } from './world.ts'

/** Most retries after another instance has written first. */
const MAX_TRIES = 50

type Needs = {
  readonly states: SandboxStates
  /** The world at the very first start. */
  readonly found: () => World
  /** Throws when a stored world is not the one that is wanted here. */
  readonly accept: (world: World) => void
  /** The world as the clock says it should be; the same one when nothing is due. */
  readonly catchUp: (world: World) => World
  readonly now: () => number
}

/** The world that an act leaves, if it changes anything, and what it tells the caller. */
type Act<T> = (world: World) => { readonly world: World | undefined; readonly result: T }

export type StoredWorld = {
  /** Looks at the present world: what another instance wrote is seen, what the clock made due is stored first. */
  read<T>(look: (world: World) => T): Promise<T>
  /** Acts on the present world; the answer comes after its change is stored. */
  change<T>(act: Act<T>): Promise<T>
}

/**
 * One chain for all instances on the same store, by optimistic concurrency: each call starts from the stored world,
 * and is retried when another instance has written first.
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

  // Reads that wait at the same time share one load; each sees everything that was stored before it came.
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

/** The stored world, loaded again only when another instance has written. Undefined: another instance was faster. */
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
