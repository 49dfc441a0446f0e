type Kept = { readonly etag: string; readonly text: string }

/** The last answers with an ETag, by path; the least recently changed one is dropped first. */
export function answerCache(limit: number) {
  const answers = new Map<string, Kept>()
  return {
    get: (path: string): Kept | undefined => answers.get(path),
    set(path: string, answer: Kept): void {
      answers.delete(path)
      answers.set(path, answer)
      const oldest = answers.keys().next()
      if (answers.size > limit && !oldest.done) answers.delete(oldest.value)
    },
  }
}
