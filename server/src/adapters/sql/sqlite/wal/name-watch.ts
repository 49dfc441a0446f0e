import { closeSync, fstatSync, openSync, statSync } from 'node:fs'

type Lost = { readonly file: string; readonly how: 'deleted' | 'replaced' }

type NameWatch = Disposable & {
  /** The first file that is no longer found under its name, if any. */
  findLost(): Lost | undefined
}

/** One call in this many looks the names up anyway: moving or mounting over a parent folder leaves this one's time. */
const CALLS_PER_LOOK_UP = 64

/**
 * Detects that files of a folder were deleted, moved or replaced. Each of these changes the folder's time, so the
 * names are looked up only when it has changed, and at every 64th call. Two changes within one tick of the file
 * system's clock give the same time: the folder's time is trusted only once a file was written at a later time.
 */
export function watchNames(folder: string, files: readonly string[]): NameWatch {
  const handle = openSync(folder, 'r')
  const opened = files.map((file) => {
    const { ino, dev } = statSync(file)
    return { file, ino, dev }
  })
  let trustedTime: number | undefined
  let calls = 0

  function lookUp(changedAt: number): Lost | undefined {
    trustedTime = undefined
    let writtenAt = 0
    for (const { file, ino, dev } of opened) {
      const found = statSync(file, { throwIfNoEntry: false })
      if (found === undefined) return { file, how: 'deleted' }
      if (found.ino !== ino || found.dev !== dev) return { file, how: 'replaced' }
      writtenAt = Math.max(writtenAt, found.ctimeMs)
    }
    if (writtenAt > changedAt) trustedTime = changedAt
    return undefined
  }

  return {
    findLost() {
      const changedAt = fstatSync(handle).ctimeMs
      calls = (calls + 1) % CALLS_PER_LOOK_UP
      return changedAt === trustedTime && calls > 0 ? undefined : lookUp(changedAt)
    },
    [Symbol.dispose]: () => closeSync(handle),
  }
}
