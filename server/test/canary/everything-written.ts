import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { jsonLogger } from '#adapters/system/logs/json-logger.ts'
import type { Logger } from '#ports/logger.ts'

/** A place that the service wrote to, and the bytes it left there. */
export type Written = { readonly place: string; readonly bytes: Buffer }

/** Every file of the folder as it is on the disk: the database, its log, the outbox, the secrets. */
export async function readFolder(folder: string): Promise<readonly Written[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async (file) => ({ place: relative(folder, file), bytes: await readFile(file) })),
  )
}

/** The real logger at its most talkative, and what it wrote. */
export function recordLog(): { readonly logger: Logger; readonly written: () => Written } {
  const lines: string[] = []
  const output = { write: (line: string) => void lines.push(line) }
  return {
    logger: jsonLogger({ level: 'debug', output }),
    written: () => ({ place: 'log', bytes: Buffer.from(lines.join('')) }),
  }
}

/** Where a text occurs. */
export function placesOf(text: string, written: readonly Written[]): readonly string[] {
  return written.filter(({ bytes }) => bytes.includes(text)).map(({ place }) => place)
}
