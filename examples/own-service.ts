import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', 'server', 'src', 'main.ts')

/** A running service, and its data folder, which has the outbox of mails. */
export type Service = AsyncDisposable & { readonly url: string; readonly dataDir: string }

/** Starts a service with the simulated chain on a free port. Disposing it stops it and deletes its data. */
export async function startOwnService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stakewright-example-'))
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  let said = ''
  for await (const chunk of child.stderr) {
    said += chunk
    const url = /API +(http:\/\/\S+?)\/api/.exec(said)?.[1]
    if (url) return { url, dataDir, [Symbol.asyncDispose]: close }
  }
  await close()
  throw new Error(`The service did not start: ${said}`)
}
