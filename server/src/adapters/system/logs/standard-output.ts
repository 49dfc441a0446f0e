import sonicBoom from 'sonic-boom'

/** Lines are gathered up to this length: one write for many requests instead of one for each. */
const GATHER_LENGTH = 65_536
const GATHER_MS = 250

export type StandardOutput = Disposable & { write(line: string): void }

/**
 * Standard output, written in large pieces, and at the latest after a quarter of a second. What must not be lost is in
 * the audit log; a line here may be, if the process is killed.
 */
export function openStandardOutput(): StandardOutput {
  const stream = new sonicBoom.SonicBoom({ fd: 1, sync: true })
  // Nobody reads the log any more: no reason to stop serving.
  stream.on('error', () => {})
  let gathered = ''

  const flush = () => {
    if (gathered !== '') stream.write(gathered)
    gathered = ''
  }
  const timer = setInterval(flush, GATHER_MS).unref()
  return {
    write(line) {
      gathered += line
      if (gathered.length >= GATHER_LENGTH) flush()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      flush()
      stream.flushSync()
    },
  }
}
