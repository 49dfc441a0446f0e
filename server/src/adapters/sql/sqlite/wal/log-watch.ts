import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Offsets in the header of SQLite's wal-index, the `-shm` file (sqlite.org/walformat.html). */
const INDEX = { bytes: 48, pageSize: 14, frames: 16, pages: 20, salts: 32 }
/** Offsets in the header of the log, the `-wal` file, and of its frames. */
const LOG = { bytes: 32, salts: 16, saltBytes: 8, frameHeaderBytes: 24, frameSalts: 8 }
/** A frame with a page of SQLite's usual size: the bytes before the former end that a longer log must still have. */
const TAIL_BYTES = 4_120

type Sizes = { readonly database: number; readonly log: number; readonly logBlocks: number }
type Part = 'database' | 'log'

type LogWatch = Disposable & {
  /** The file that was shortened, if one was. */
  findShortened(): Part | undefined
}

/**
 * Detects that the database or its write-ahead log was cut or emptied in place, even if the log was written to
 * afterwards. SQLite itself shortens both: a TRUNCATE checkpoint empties the log, a checkpoint after VACUUM cuts
 * the database. The wal-index tells these apart, because SQLite writes it before it shortens a file. A wal-index
 * that was cut needs no watch: it is mapped into memory, so the system ends the process that reads it, and the
 * next start makes it anew. Close the watch after the database: closing a file releases all locks of the process
 * on it.
 *
 * It runs at every commit, so it compares only the sizes while they are unchanged: SQLite mostly overwrites an
 * existing log. If the log has grown, the frame that was committed last must still be there. Anything after that
 * frame belongs to a transaction that was rolled back, and SQLite overwrites it.
 */
export function watchLog(file: string): LogWatch {
  const database = openSync(file, 'r')
  const log = openSync(`${file}-wal`, 'r')
  const index = openSync(`${file}-shm`, 'r')
  let seen: Sizes = { database: 0, log: 0, logBlocks: 0 }
  const tail = Buffer.alloc(TAIL_BYTES)
  const found = Buffer.alloc(TAIL_BYTES)
  let tailEnd = 0

  function readSizes(): Sizes {
    const { size, blocks } = fstatSync(log)
    return { database: fstatSync(database).size, log: size, logBlocks: blocks }
  }

  function readTail(into: Buffer): Buffer {
    const from = Math.max(0, tailEnd - TAIL_BYTES)
    into.fill(0, readSync(log, into, 0, tailEnd - from, from))
    return into
  }

  const isTailUnchanged = () => readTail(found).equals(tail)

  const hasFormerEnd = (walIndex: Index): boolean =>
    // Frames of an earlier round, which has other salts, may have been overwritten.
    !hasSalts(tail, LOG.frameSalts, walIndex.salts) || isTailUnchanged()

  function remember(sizes: Sizes, { logBytes }: Index): void {
    seen = sizes
    tailEnd = logBytes
    readTail(tail)
  }

  function compareWithIndex(): Part | undefined {
    const walIndex = readIndex(index)
    const sizes = readSizes()
    const isWhole = sizes.log >= walIndex.logBytes && hasAllFrames(log, walIndex) && hasFormerEnd(walIndex)
    // Another process has committed meanwhile: the next call decides.
    if (!readIndex(index).bytes.equals(walIndex.bytes)) return undefined
    if (!isWhole) return 'log'
    if (sizes.database < seen.database && sizes.database < walIndex.databaseBytes) return 'database'
    remember(sizes, walIndex)
    return undefined
  }

  return {
    findShortened() {
      const sizes = readSizes()
      if (sizes.database === 0) return 'database'
      const isShorter =
        sizes.database < seen.database || sizes.log < seen.log || sizes.logBlocks < seen.logBlocks
      if (isShorter || (sizes.log > seen.log && !isTailUnchanged())) return compareWithIndex()
      if (sizes.log > seen.log) remember(sizes, readIndex(index))
      else seen = sizes
      return undefined
    },
    [Symbol.dispose]() {
      for (const handle of [database, log, index]) closeSync(handle)
    },
  }
}

type Index = ReturnType<typeof readIndex>

/** SQLite writes the wal-index in the byte order of the machine: little on all that Node has packages for. */
function readIndex(index: number) {
  const bytes = readFrom(index, Buffer.alloc(INDEX.bytes), 0)
  const pageSize = bytes.readUInt16LE(INDEX.pageSize)
  const frames = bytes.readUInt32LE(INDEX.frames)
  return {
    bytes,
    pageSize,
    databaseBytes: bytes.readUInt32LE(INDEX.pages) * pageSize,
    logBytes: frames === 0 ? 0 : LOG.bytes + frames * (LOG.frameHeaderBytes + pageSize),
    salts: bytes.subarray(INDEX.salts, INDEX.salts + LOG.saltBytes),
  }
}

/** Whether the header of the log and of each frame is there: a hole has none. */
function hasAllFrames(log: number, { logBytes, pageSize, salts }: Index): boolean {
  if (logBytes === 0) return true
  const header = Buffer.alloc(LOG.bytes)
  if (!hasSalts(readFrom(log, header, 0), LOG.salts, salts)) return false
  for (let at = LOG.bytes; at < logBytes; at += LOG.frameHeaderBytes + pageSize)
    if (!hasSalts(readFrom(log, header, at), LOG.frameSalts, salts)) return false
  return true
}

const hasSalts = (header: Buffer, at: number, salts: Buffer): boolean =>
  header.subarray(at, at + LOG.saltBytes).equals(salts)

function readFrom(handle: number, bytes: Buffer, from: number): Buffer {
  // Bytes beyond the end of the file count as zeros.
  bytes.fill(0, readSync(handle, bytes, 0, bytes.length, from))
  return bytes
}
