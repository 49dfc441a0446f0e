import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { jsonLogger } from '#adapters/system/logs/json-logger.ts'
import type { Logger } from '#ports/logger.ts'

/** A file, answer or log, and its bytes. */
export type Written = { readonly place: string; readonly bytes: Buffer }

/** Every file of the folder: the database, its write-ahead log, the outbox, the secrets. */
export async function readFolder(folder: string): Promise<readonly Written[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async (file) => ({ place: relative(folder, file), bytes: await readFile(file) })),
  )
}

/** The real logger at level `debug`, and everything it wrote. */
export function recordLog(): { readonly logger: Logger; readonly written: () => Written } {
  const lines: string[] = []
  const output = { write: (line: string) => void lines.push(line) }
  return {
    logger: jsonLogger({ level: 'debug', output }),
    written: () => ({ place: 'log', bytes: Buffer.from(lines.join('')) }),
  }
}

/** The places in which a text occurs. */
export function placesOf(text: string, written: readonly Written[]): readonly string[] {
  return written.filter(({ bytes }) => bytes.includes(text)).map(({ place }) => place)
}
