import { mkdir, open, rename } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '#ports/logger.ts'
import type { IdentifiedMail, Mailer } from '#ports/stores/outbox.ts'
import { composeMail, toSender } from './compose-mail.ts'

type Settings = { readonly folder: string; readonly from: string; readonly logger: Logger }

/**
 * For a service without a mail server: writes each mail to a file that only its owner may read, and logs the path. A
 * mail that is sent twice overwrites its file.
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

/** Writes atomically and durably: under its name the file is complete and synced, or absent. */
async function writeWhole(folder: string, file: string, content: Buffer): Promise<void> {
  const draft = `${file}.part`
  {
    await using handle = await open(draft, 'w', 0o600)
    await handle.writeFile(content)
    await handle.sync()
  }
  await rename(draft, file)
  // The folder must be synced for the rename to be durable; Windows cannot and need not.
  if (platform() === 'win32') return
  await using directory = await open(folder)
  await directory.sync()
}
