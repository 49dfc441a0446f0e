import type { DatabaseSync } from 'node:sqlite'

/**
 * usual: a commit is as durable as the store was opened. light: it survives the end of the process, and is on the disk
 * with the next commit that waits for it.
 */
export type Durability = 'usual' | 'light'

/** Sets how durable the next transactions of a connection are. Called often, so it says nothing twice. */
export function commitDurability(database: DatabaseSync): (durability: Durability) => void {
  const levels = {
    usual: Number(database.prepare('pragma synchronous').get()?.['synchronous']),
    light: 'normal',
  }
  let present: Durability = 'usual'
  return (wanted) => {
    // It cannot be changed inside a transaction, which stays what it was begun as.
    if (wanted === present || database.isTransaction) return
    database.exec(`pragma synchronous = ${levels[wanted]}`)
    present = wanted
  }
}
