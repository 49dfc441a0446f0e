import { askBeforeLeaving } from '../leaving.ts'
import { createStore, useStore } from '../store.ts'
import { session } from './session.ts'

/** A new key, shown at `place` on the page at `path`. */
type UnstoredKey = {
  readonly place: string
  readonly path: string
  /** The user who made it; other users who sign in in this tab must not see it. */
  readonly user: string
  readonly apiKey: string
  /** When the key that it replaces is refused, if it is not yet. */
  readonly oldKeyUntil?: string
}

/** New keys that the user has not confirmed to have stored. Each is shown once, so navigation must not lose it. */
const unstoredKeys = createStore<readonly UnstoredKey[]>([])
unstoredKeys.subscribe(() => askBeforeLeaving('keys', unstoredKeys.get().length > 0))

export const keepUnstored = (place: string, apiKey: string, oldKeyUntil?: string): void =>
  unstoredKeys.set([
    ...unstoredKeys.get().filter((one) => one.place !== place),
    {
      place,
      path: location.pathname,
      user: session.get().user?.name ?? '',
      apiKey,
      ...(oldKeyUntil !== undefined && { oldKeyUntil }),
    },
  ])

export const dropUnstored = (place: string): void =>
  unstoredKeys.set(unstoredKeys.get().filter((one) => one.place !== place))

/** The same for new recovery codes, which are shown without a session, too: setting up a second factor ends it. */
export const unstoredCodes = createStore<readonly string[] | undefined>(undefined)
unstoredCodes.subscribe(() => askBeforeLeaving('recovery codes', unstoredCodes.get() !== undefined))

/** Called at sign-out. */
export function dropAllUnstored(): void {
  unstoredKeys.set([])
  unstoredCodes.set(undefined)
}

export function useUnstoredKeys(): readonly UnstoredKey[] {
  const name = useStore(session).user?.name
  return useStore(unstoredKeys).filter(({ user }) => user === name)
}

export const useUnstoredKey = (place: string): UnstoredKey | undefined =>
  useUnstoredKeys().find((one) => one.place === place)
