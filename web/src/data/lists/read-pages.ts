import { StakewrightError } from '@stakewright/client'

/** Page size: the largest that the service allows. */
export const PAGE = 100

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null }

/** A page of a list whose items are `data`. */
export const toPage = <T>({
  data,
  nextCursor,
}: {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}): Page<T> => ({ items: data, nextCursor })

export type Cursor = { readonly limit: number; readonly cursor?: string }
/** The items read so far. */
export type ListPart<T> = { readonly items: readonly T[]; readonly hasMore: boolean }

type ReadPage<T> = (cursor: Cursor) => Promise<Page<T>>

/** Reads pages one after the other, `most` at most. Begins again if items have moved between the pages. */
export async function readPages<T>(read: ReadPage<T>, most: number): Promise<ListPart<T>> {
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const part = await readOnce(read, most).catch((error: unknown) => {
      if (!isMoved(error)) throw error
    })
    if (part) return part
  }
  return readOnce(read, most)
}

/** Data changes once in an epoch, or a few times in a minute: a second attempt nearly always succeeds. */
const MAX_ATTEMPTS = 4

async function readOnce<T>(read: ReadPage<T>, most: number): Promise<ListPart<T>> {
  const found: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < most; page++) {
    const answer: Page<T> = await read({ limit: PAGE, ...(cursor !== null && { cursor }) })
    found.push(...answer.items)
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return { items: found, hasMore: cursor !== null }
}

const isMoved = (error: unknown): boolean =>
  error instanceof StakewrightError &&
  error.code === 'invalid_input' &&
  error.details.some(({ field }) => field === 'cursor')
