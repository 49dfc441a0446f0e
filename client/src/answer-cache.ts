type CachedAnswer = { readonly etag: string; readonly text: string }

/** A cache of answers with an ETag, by path; drops the least recently changed answer first. */
export function answerCache(limit: number) {
  const answers = new Map<string, CachedAnswer>()
  return {
    get: (path: string): CachedAnswer | undefined => answers.get(path),
    set(path: string, answer: CachedAnswer): void {
      answers.delete(path)
      answers.set(path, answer)
      const oldest = answers.keys().next()
      if (answers.size > limit && !oldest.done) answers.delete(oldest.value)
    },
  }
}
