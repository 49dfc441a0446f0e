import sonicBoom from 'sonic-boom'

/** Lines are buffered up to this length, so that many requests share one write. */
const BUFFER_LENGTH = 65_536
const FLUSH_EVERY_MS = 250

export type StandardOutput = Disposable & { write(line: string): void }

/**
 * Buffered standard output, flushed after at most a quarter of a second. A killed process may lose lines; records
 * that must not be lost are in the audit log.
 */
export function openStandardOutput(): StandardOutput {
  const stream = new sonicBoom.SonicBoom({ fd: 1, sync: true })
  // A closed pipe must not stop the service.
  stream.on('error', () => {})
  let buffered = ''

  const flush = () => {
    if (buffered !== '') stream.write(buffered)
    buffered = ''
  }
  const timer = setInterval(flush, FLUSH_EVERY_MS).unref()
  return {
    write(line) {
      buffered += line
      if (buffered.length >= BUFFER_LENGTH) flush()
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      flush()
      stream.flushSync()
    },
  }
}
