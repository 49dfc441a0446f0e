import type { Draft } from './draft.ts'

/** Three-way merge by field: fields changed here since `base` are `mine`, all others `theirs`. */
export function mergeDraft(base: Draft, mine: Draft, theirs: Draft): Draft {
  return {
    ...merged(base, mine, theirs),
    windows: merged(base.windows, mine.windows, theirs.windows),
    counted: merged(base.counted, mine.counted, theirs.counted),
  }
}

function merged<T extends object>(base: T, mine: T, theirs: T): T {
  const kept = Object.entries(mine).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(base, name)),
  )
  return { ...theirs, ...Object.fromEntries(kept) }
}
