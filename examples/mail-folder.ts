import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const PATIENCE_MS = 30_000

/** Waits for a mail to the address that matches the pattern, and returns the pattern's first group. */
export async function findInMail(dataDir: string, address: string, pattern: RegExp): Promise<string> {
  const folder = join(dataDir, 'outbox')
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(200)) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')))
    const found = mails
      .filter((mail) => mail.includes(`To: ${address}`))
      .flatMap((mail) => pattern.exec(mail)?.[1] ?? [])
      .at(-1)
    if (found) return found
  }
  throw new Error(`No such mail to ${address} in ${folder}.`)
}
