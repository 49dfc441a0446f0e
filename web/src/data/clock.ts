import { createStore, useStore } from './store.ts'

/** The current time, updated once a second for ages and countdowns. */
const now = createStore(Date.now())
let followers = 0
let timer: ReturnType<typeof setInterval> | undefined

const ticking = {
  ...now,
  subscribe(listener: () => void) {
    const leave = now.subscribe(listener)
    followers += 1
    timer ??= setInterval(() => now.set(Date.now()), 1000)
    return () => {
      leave()
      followers -= 1
      if (followers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  },
}

export const useNow = (): number => useStore(ticking)
