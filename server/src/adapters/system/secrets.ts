import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from '../../fault.ts'
import { isTooShort, isWeakSecret } from '../../secrets/weak-secret.ts'

const SECRET_BYTES = 32

/** Like `readSecret`, but creates a missing file. Only a starting service may do that. */
export async function readOrCreateSecret(folder: string, name: string, given?: string): Promise<string> {
  if (given !== undefined) return given
  const known = await readSecret(folder, name)
  if (known !== undefined) return known
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  await createSecret(file)
  return (await readSecret(folder, name)) ?? refuse(file)
}

/** The secret in the folder's file of this name; undefined if there is no such file. */
export async function readSecret(folder: string, name: string): Promise<string | undefined> {
  const file = join(folder, name)
  try {
    const secret = (await readFile(file, 'utf8')).trim()
    if (isTooShort(secret)) return refuse(file)
    return isWeakSecret(secret) ? refuseWeak(file) : secret
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Creates the file atomically and durably, and never replaces an existing one, so that two concurrent creators then
 * read the same secret.
 */
async function createSecret(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    await writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`)
    await link(draft, file)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(file))
}

async function writeDurably(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(text)
  await handle.sync()
}

/** The name of a new file is durable only after its folder was synced. Windows cannot and need not do this. */
async function syncFolder(folder: string): Promise<void> {
  if (platform() === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

function refuse(file: string): never {
  throw new Fault(
    'store_not_ready',
    `The secret in ${file} is damaged. Restore it from a backup: without it, everything that it protects is invalid.`,
  )
}

function refuseWeak(file: string): never {
  throw new Fault(
    'store_not_ready',
    `The secret in ${file} can be guessed, and with it whatever it protects forged. Remove the file: a start makes a ` +
      'random one, and what the old one protected is invalid then.',
  )
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
