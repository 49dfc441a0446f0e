import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AuditAnchor, AuditAnchors } from '#ports/stores/audit-anchor.ts'
import { Fault } from '../../../fault.ts'
import { syncPath } from '../sync-path.ts'
import type { AuditSeal } from './seal.ts'

/** The anchor's file in the data folder. Each engine has its own log. */
export const anchorFileName = (store: 'sqlite' | 'postgres') => `audit-anchor-${store}.json`

/** Copies of the anchor in files, each with a MAC: others may have access. A missing `required` file is a loss. */
export function anchorFiles(
  files: readonly string[],
  seal: AuditSeal,
  required: readonly string[] = files,
): AuditAnchors {
  return {
    async missing() {
      const texts = await Promise.all(required.map(textOf))
      return required.filter((_, at) => texts[at] === undefined)
    },
    async read() {
      const found: AuditAnchor[] = []
      for (const file of files) {
        const text = await textOf(file)
        if (text !== undefined) found.push(toAnchor(text, seal) ?? refuse(file))
      }
      return found
    },
    async write(anchor) {
      const body = JSON.stringify(anchor)
      for (const file of files)
        await replace(file, `${JSON.stringify({ body, mac: seal.mac(toSeal(body)) })}\n`)
    },
  }
}

const toSeal = (body: string) => `anchor\n${body}`

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The MAC proves that `write` wrote it. */
function toAnchor(text: string, seal: AuditSeal): AuditAnchor | undefined {
  try {
    const { body, mac } = JSON.parse(text) as { readonly body: string; readonly mac: string }
    return seal.isMac(toSeal(body), mac) ? (JSON.parse(body) as AuditAnchor) : undefined
  } catch {
    return undefined
  }
}

function refuse(file: string): never {
  throw new Fault(
    'store_not_ready',
    `The anchor of the audit log in ${file} was changed, or is of another service.`,
  )
}

/** Replaces a file atomically. The folder is synced too, or a power cut could bring the older file back. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    await writeSynced(draft, text)
    await rename(draft, file)
    await syncPath(dirname(file))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(text)
  await handle.sync()
}
