import type { Client, Reply } from '@stakewright/client'
import { readPages } from './lists/read-pages.ts'

type Reading = Reply<'positions'>
export type HeldToken = Reading['positions'][number]

/** Staked tokens of an address, largest first. */
export type Holding = {
  readonly epoch: number
  readonly tokens: readonly HeldToken[]
  /** The total number, which exceeds the length of `tokens` only beyond `MAX_PAGES` pages. */
  readonly total: number
}

const MAX_PAGES = 10

export async function readHolding(client: Client, owner: string): Promise<Holding> {
  let newest = { epoch: 0, total: 0 }
  const { items } = await readPages(async (cursor) => {
    const { positions, nextCursor, epoch, total } = await client.positions({
      owner,
      sort: 'principal',
      order: 'desc',
      ...cursor,
    })
    newest = { epoch, total }
    return { items: positions, nextCursor }
  }, MAX_PAGES)
  return { ...newest, tokens: items }
}
