import type { SandboxStates } from '#ports/sandbox.ts'
import { Fault } from '../../fault.ts'
import { toText, toWorld } from './state-text.ts'
import type { World } from './world.ts'

/** How often another instance may write first before the caller is told to come back. */
const MAX_TRIES = 50

type Needs = {
  readonly states: SandboxStates
  /** The world at the very first start. */
  readonly found: () => World
  /** The world as the clock says it should be; the same one when nothing is due. */
  readonly catchUp: (world: World) => World
  readonly now: () => number
}

export type KeptWorld = {
  /** Looks at the present world: what another instance wrote is seen, what the clock made due is stored first. */
  read<T>(look: (world: World) => T): Promise<T>
  /** Runs `act` on the present world, and stores the world it returns before answering; undefined changes nothing. */
  change<T>(act: (world: World) => { readonly world: World | undefined; readonly result: T }): Promise<T>
}

/**
 * One chain for every instance on the same store. Each call takes its turn, loads what is stored (parsed only when
 * somebody else has written it) and replaces it whole. When another instance was faster, the call begins anew.
 */
export function keepWorld({ states, found, catchUp, now }: Needs): KeptWorld {
  let known: { readonly version: number; readonly world: World } | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()

  const takeTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work)
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  async function store(version: number, world: World): Promise<World | undefined> {
    const changedAt = Math.max(now(), world.changedAt)
    const stored = { ...world, changes: world.changes + 1, changedAt }
    if (!(await states.replace(version, toText(stored)))) return undefined
    known = { version: version + 1, world: stored }
    return stored
  }

  async function load(): Promise<{ readonly version: number; readonly world: World } | undefined> {
    const stored = await states.load()
    if (stored === undefined) return undefined
    if (known?.version !== stored.version) known = { version: stored.version, world: toWorld(stored.state) }
    return known
  }

  async function present(): Promise<{ readonly version: number; readonly world: World } | undefined> {
    const loaded = await load()
    if (loaded === undefined) {
      const founded = await store(0, found())
      return founded === undefined ? undefined : { version: 1, world: founded }
    }
    const due = catchUp(loaded.world)
    if (due === loaded.world) return loaded
    const stored = await store(loaded.version, due)
    return stored === undefined ? undefined : { version: loaded.version + 1, world: stored }
  }

  async function change<T>(act: (world: World) => { readonly world: World | undefined; readonly result: T }) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const start = await present()
      if (start === undefined) continue
      const { world, result } = act(start.world)
      if (world === undefined) return result
      if ((await store(start.version, world)) !== undefined) return result
    }
    throw new Fault('store_not_ready', 'Other instances keep changing the sandbox chain: try again shortly.')
  }

  return {
    read: (look) => takeTurn(() => change((world) => ({ world: undefined, result: look(world) }))),
    change: (act) => takeTurn(() => change(act)),
  }
}
