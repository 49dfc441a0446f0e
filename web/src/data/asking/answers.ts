import { session } from '../account/session.ts'

/** A cache of answers, by their input and the version of the data; drops the oldest. */
export type AnswerCache<T> = { get(key: string): T | undefined; set(key: string, answer: T): void }

const MAX_ANSWERS = 200

export function createAnswerCache<T>(): AnswerCache<T> {
  const answers = new Map<string, T>()
  // Another API key may have another tier, and with it other answers.
  session.subscribe(() => answers.clear())
  return {
    get: (key) => answers.get(key),
    set(key, answer) {
      answers.delete(key)
      answers.set(key, answer)
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) return
        answers.delete(oldest)
      }
    },
  }
}
