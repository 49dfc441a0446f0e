import { closeSync, fstatSync, openSync, statSync } from 'node:fs'

type Lost = { readonly file: string; readonly how: 'deleted' | 'replaced' }

type NameWatch = Disposable & {
  /** The first file whose name does not lead to it any more, if there is one. */
  findLost(): Lost | undefined
}

/** Moving a folder above this one, or mounting another over it, does not change this one. */
const LOOKS_IN_ALL = 64

/**
 * Detects that files of a folder were deleted, moved or replaced. Each of these gives the folder a new time, so
 * the names are looked up only after that, and at every 64th call. Two changes within one tick of the file
 * system's clock have the same time: the folder's time is relied on once a file was written at a later one.
 */
export function watchNames(folder: string, files: readonly string[]): NameWatch {
  const handle = openSync(folder, 'r')
  const opened = files.map((file) => {
    const { ino, dev } = statSync(file)
    return { file, ino, dev }
  })
  let reliedOn: number | undefined
  let looks = 0

  function lookUp(changedAt: number): Lost | undefined {
    reliedOn = undefined
    let writtenAt = 0
    for (const { file, ino, dev } of opened) {
      const found = statSync(file, { throwIfNoEntry: false })
      if (found === undefined) return { file, how: 'deleted' }
      if (found.ino !== ino || found.dev !== dev) return { file, how: 'replaced' }
      writtenAt = Math.max(writtenAt, found.ctimeMs)
    }
    if (writtenAt > changedAt) reliedOn = changedAt
    return undefined
  }

  return {
    findLost() {
      const changedAt = fstatSync(handle).ctimeMs
      looks = (looks + 1) % LOOKS_IN_ALL
      return changedAt === reliedOn && looks > 0 ? undefined : lookUp(changedAt)
    },
    [Symbol.dispose]: () => closeSync(handle),
  }
}
