import { useEffect, useState } from 'preact/hooks'

/** An observable value. */
export type Store<T> = {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Subscribes the component to the store. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({})
  const value = store.get()
  useEffect(() => {
    // The value may have changed between the render and this effect.
    if (!Object.is(store.get(), value)) redraw({})
    return store.subscribe(() => redraw({}))
  }, [store])
  return value
}
