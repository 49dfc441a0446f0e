import { mkdir, open, rename } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '#ports/logger.ts'
import type { IdentifiedMail, Mailer } from '#ports/stores/outbox.ts'
import { composeMail, toSender } from './compose-mail.ts'

type Settings = { readonly folder: string; readonly from: string; readonly logger: Logger }

/**
 * Puts each mail into a file that only its owner may read, and says in the log where: for a service that has no mail
 * server. A mail that is sent twice is the same file.
 */
export function fileMailer({ folder, from, logger }: Settings): Mailer {
  const sender = toSender(from)
  return {
    async send(mail) {
      const file = join(folder, nameOf(mail))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(folder, file, await composeMail(mail, sender))
      logger.info('mail written', { mail: mail.id, file })
      return { kind: 'taken' }
    },
  }
}

/** Sorts by time, then by id: `20260131T120000000Z-000042.eml`. */
function nameOf({ id, createdAt }: IdentifiedMail): string {
  const time = new Date(createdAt).toISOString().replace(/[-:.]/g, '')
  return `${time}-${String(id).padStart(6, '0')}.eml`
}

/** Under its name the file is whole and on the disk, or not there at all. */
async function writeWhole(folder: string, file: string, content: Buffer): Promise<void> {
  const draft = `${file}.part`
  {
    await using handle = await open(draft, 'w', 0o600)
    await handle.writeFile(content)
    await handle.sync()
  }
  await rename(draft, file)
  // Windows cannot open a folder for this, and does not need it.
  if (platform() === 'win32') return
  await using directory = await open(folder)
  await directory.sync()
}
