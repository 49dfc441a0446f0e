import type { DatabaseSync } from 'node:sqlite'

/**
 * usual: as durable as the store's `synchronous` setting. light: survives the end of the process, and reaches
 * the disk with the next usual commit.
 */
export type Durability = 'usual' | 'light'

/** Sets the durability of the next transactions. Called often, so unchanged values cost no pragma. */
export function commitDurability(database: DatabaseSync): (durability: Durability) => void {
  const levels = {
    usual: Number(database.prepare('pragma synchronous').get()?.['synchronous']),
    light: 'normal',
  }
  let present: Durability = 'usual'
  return (wanted) => {
    // The pragma has no effect inside a transaction.
    if (wanted === present || database.isTransaction) return
    database.exec(`pragma synchronous = ${levels[wanted]}`)
    present = wanted
  }
}
