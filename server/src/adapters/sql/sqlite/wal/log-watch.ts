import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** Offsets in the header of SQLite's wal-index, the `-shm` file (sqlite.org/walformat.html). */
const INDEX = { bytes: 48, pageSize: 14, frames: 16, pages: 20, salts: 32 }
/** Offsets in the header of the log, the `-wal` file. */
const LOG = { bytes: 32, salts: 16, saltBytes: 8, frameHeaderBytes: 24 }

type Sizes = { readonly database: number; readonly log: number; readonly index: number }

type LogWatch = Disposable & {
  /** Which file lacks something that was written to it, if one does. */
  findShortened(sizes: Sizes): keyof Sizes | undefined
}

/**
 * Detects that the database or its write-ahead log was cut or emptied in place. SQLite itself shortens both:
 * a TRUNCATE checkpoint empties the log, a checkpoint after VACUUM cuts the database. The wal-index tells
 * these apart, because SQLite writes it before it shortens a file. Close the watch after the database: closing
 * a file releases all locks of the process on it.
 */
export function watchLog(file: string): LogWatch {
  const log = openSync(`${file}-wal`, 'r')
  const index = openSync(`${file}-shm`, 'r')
  let seen: Sizes = { database: 0, log: 0, index: INDEX.bytes }
  const seenHeader = Buffer.alloc(LOG.bytes)
  // Filled again by each call: this runs before every commit.
  const header = Buffer.alloc(LOG.bytes)

  function compareWithIndex(indexSize: number): keyof Sizes | undefined {
    const said = readIndex(index)
    const found = { database: statSync(file).size, log: fstatSync(log).size, index: indexSize }
    readStart(log, header)
    // Another process has committed meanwhile: the next call decides.
    if (!readIndex(index).bytes.equals(said.bytes)) return undefined
    if (found.log < said.logBytes || (said.logBytes > 0 && !hasSalts(header, said.salts))) return 'log'
    if (found.database < seen.database && found.database < said.databaseBytes) return 'database'
    seen = found
    header.copy(seenHeader)
    return undefined
  }

  return {
    findShortened(sizes) {
      if (sizes.index < seen.index) return 'index'
      if (sizes.database === 0) return 'database'
      const isShorter = sizes.database < seen.database || sizes.log < seen.log
      if (isShorter || !readStart(log, header).equals(seenHeader)) return compareWithIndex(sizes.index)
      seen = sizes
      return undefined
    },
    [Symbol.dispose]() {
      closeSync(log)
      closeSync(index)
    },
  }
}

/** SQLite writes the wal-index in the byte order of the machine: little on all that Node has packages for. */
function readIndex(index: number) {
  const bytes = readStart(index, Buffer.alloc(INDEX.bytes))
  const pageSize = bytes.readUInt16LE(INDEX.pageSize)
  const frames = bytes.readUInt32LE(INDEX.frames)
  return {
    bytes,
    databaseBytes: bytes.readUInt32LE(INDEX.pages) * pageSize,
    logBytes: frames === 0 ? 0 : LOG.bytes + frames * (LOG.frameHeaderBytes + pageSize),
    salts: bytes.subarray(INDEX.salts, INDEX.salts + LOG.saltBytes),
  }
}

const hasSalts = (header: Buffer, salts: Buffer): boolean =>
  header.subarray(LOG.salts, LOG.salts + LOG.saltBytes).equals(salts)

function readStart(handle: number, bytes: Buffer): Buffer {
  // What the file does not have is read as zeros.
  bytes.fill(0, readSync(handle, bytes, 0, bytes.length, 0))
  return bytes
}
