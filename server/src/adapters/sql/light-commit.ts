import type { DatabaseSync } from 'node:sqlite'

/**
 * Runs a transaction that need not be on the disk when it returns: it survives the end of the process, and is on the
 * disk with the next commit that waits for it. Everybody else's commits stay as durable as the store was opened.
 */
export function lightCommits(database: DatabaseSync) {
  const usual = Number(database.prepare('pragma synchronous').get()?.['synchronous'])
  const setTo = (level: number | 'normal') => database.exec(`pragma synchronous = ${level}`)
  return <T>(transaction: () => T): T => {
    setTo('normal')
    try {
      return transaction()
    } finally {
      // It cannot be set while a transaction that has failed is still open.
      if (database.isTransaction) database.exec('rollback')
      setTo(usual)
    }
  }
}
