import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail file in the outbox folder. */
export type MailFile = { readonly file: string; readonly to: string; readonly raw: string }

/** The mails that were delivered into the data folder's outbox, oldest first. */
export async function readMails(dataFolder: string): Promise<readonly MailFile[]> {
  const folder = join(dataFolder, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(
    files.map(async (name) => {
      const file = join(folder, name)
      const raw = await readFile(file, 'utf8')
      return { file, raw, to: find(raw, /^To: (.+)$/m) }
    }),
  )
}

/** The newest mail to the address. */
export async function newestMail(dataFolder: string, address: string): Promise<MailFile> {
  const mail = (await readMails(dataFolder)).findLast(({ to }) => to === address.toLowerCase())
  assert(mail, `there is a mail to ${address}`)
  return mail
}

/** The token of the link in a verification mail. */
export const tokenOf = ({ raw }: MailFile): string => find(raw, /\/verify\?token=([0-9a-f]{64})/)

/** The code of a sign-in mail. */
export const codeOf = ({ raw }: MailFile): string => find(raw, /^ {4}(\d{6})\r?$/m)

/** The long code of a sign-in mail. */
export const longCodeOf = ({ raw }: MailFile): string =>
  find(raw, /^ {4}([0-9A-Z]{5}(?:-[0-9A-Z]{5}){3})\r?$/m)

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]?.trim()
  assert(found, `${pattern} is in ${text}`)
  return found
}
