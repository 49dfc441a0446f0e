import { session } from '../account/session.ts'

/** Answers by the input and the data they were computed from, the newest of them. */
export type Answers<T> = { get(key: string): T | undefined; set(key: string, answer: T): void }

const MOST = 200

export function keepAnswers<T>(): Answers<T> {
  const kept = new Map<string, T>()
  // Another key may have another tier, and with it other answers.
  session.subscribe(() => kept.clear())
  return {
    get: (key) => kept.get(key),
    set(key, answer) {
      kept.delete(key)
      kept.set(key, answer)
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST) return
        kept.delete(oldest)
      }
    },
  }
}
