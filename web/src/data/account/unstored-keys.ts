import { askBeforeLeaving } from '../leaving.ts'
import { createStore, useStore } from '../store.ts'
import { session } from './session.ts'

/** A key that was just made, shown where `place` says, on the page at `path`. */
export type UnstoredKey = {
  readonly place: string
  readonly path: string
  /** Who made it: nobody else who signs in in this tab gets to see it. */
  readonly user: string
  readonly apiKey: string
}

/** Keys that nobody has said to have stored. Each is shown this once, so going to another page must not lose it. */
const unstoredKeys = createStore<readonly UnstoredKey[]>([])
unstoredKeys.subscribe(() => askBeforeLeaving('keys', unstoredKeys.get().length > 0))

export const keepUnstored = (place: string, apiKey: string): void =>
  unstoredKeys.set([
    ...unstoredKeys.get().filter((one) => one.place !== place),
    { place, path: location.pathname, user: session.get().user?.name ?? '', apiKey },
  ])

export const dropUnstored = (place: string): void =>
  unstoredKeys.set(unstoredKeys.get().filter((one) => one.place !== place))

/** Whoever signs out leaves nothing behind. */
export const dropAllUnstored = (): void => unstoredKeys.set([])

export function useUnstoredKeys(): readonly UnstoredKey[] {
  const name = useStore(session).user?.name
  return useStore(unstoredKeys).filter(({ user }) => user === name)
}

export const useUnstoredKey = (place: string): string | undefined =>
  useUnstoredKeys().find((one) => one.place === place)?.apiKey
