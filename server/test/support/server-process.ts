import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { access, constants, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Servers that a test run starts, each in its own folder. This file in it has the process id of the test. */

const OWNER_FILE = 'started-by'
/** On a busy machine a start takes long. */
const USUAL_START_MS = 120_000
const TRY_EVERY_MS = 25

/** Below the range from which the system assigns ports to connections and to servers that ask for any. */
const [FIRST_PORT, END_OF_PORTS] = [10_240, 32_768]
const givenPorts = new Set<number>()

/**
 * A port on which nothing listens now. The system gives it to no other process, and this process never gets it again.
 * Another test process may draw the same one before the caller listens, which is unlikely.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_OF_PORTS)
    if (givenPorts.has(port)) continue
    givenPorts.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

/** A folder that belongs to this process. Folders of killed processes are removed first. */
export async function serverFolder(kind: string, user: UserIds | undefined, parent = tmpdir()) {
  await removeOrphans(kind, parent)
  const path = await mkdtemp(join(parent, `stakewright-${kind}-`))
  await writeFile(join(path, OWNER_FILE), String(process.pid))
  if (user) chownSync(path, user.uid, user.gid)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

const MEMORY = '/dev/shm'
const MEMORY_ROOM = 2 * 2 ** 30

/** A folder in memory, if there is one with enough room; otherwise the usual temporary folder. */
export async function memoryFolder(): Promise<string> {
  try {
    await access(MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) > MEMORY_ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

async function removeOrphans(kind: string, parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(`stakewright-${kind}-`))
  for (const folder of names.map((name) => join(parent, name))) {
    const owner = Number(await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => ''))
    if (!owner || isAlive(owner)) continue
    for (const pid of await pidsIn(folder)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}

/** The recorded server, unless its process id belongs to another process by now. */
async function pidsIn(folder: string): Promise<number[]> {
  const recorded = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''))
  if (!recorded || !isAlive(recorded)) return []
  const command = await readFile(`/proc/${recorded}/cmdline`, 'utf8').catch(() => '')
  return command.includes(folder) ? [recorded] : []
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export type UserIds = { readonly uid: number; readonly gid: number }

/** The user for database servers if this process is root, because they refuse to run as root. */
export function unprivilegedUser(...names: readonly string[]): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of [...names, 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  }
  throw new Error(`There is no user to run a database as. Create one of ${names.join(', ')}.`)
}

export type RunningServer = {
  /** Kills the process, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Sends the signal, without waiting for its effect. */
  signal(name: NodeJS.Signals): void
}

/** Starts the program and waits until `isReady` does not fail any more. */
export async function runServer(
  command: string,
  args: readonly string[],
  options: SpawnOptions & {
    readonly pidFile: string
    /** Ends the wait for a server that never gets ready. */
    readonly startMs?: number
  },
  isReady: () => Promise<unknown>,
): Promise<RunningServer> {
  const { pidFile, startMs = USUAL_START_MS, ...spawnOptions } = options
  const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => lines.push(String(data)))
  const ended = once(child, 'close').catch(() => {})
  if (child.pid) await writeFile(pidFile, String(child.pid))
  const end = async (signal: NodeJS.Signals) => {
    child.ref()
    if (!hasEnded(child)) child.kill(signal)
    await ended
  }
  try {
    await untilReady(child, isReady, startMs, () => lines.join(''))
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  // A server that nobody has stopped yet must not keep a finished test file alive.
  const streams = [child.stdout, child.stderr].filter((stream) => stream instanceof Socket)
  for (const held of [child, ...streams]) held.unref()
  return {
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    signal: (name) => void child.kill(name),
  }
}

/** Whether the process has exited or a signal has ended it. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

async function untilReady(
  child: ChildProcess,
  isReady: () => Promise<unknown>,
  startMs: number,
  output: () => string,
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    try {
      await isReady()
      return
    } catch (error) {
      const isOver = hasEnded(child) || performance.now() - startedAt > startMs
      if (isOver) throw new Error(`${child.spawnfile} does not start: ${output()}`, { cause: error })
      await wait(TRY_EVERY_MS)
    }
  }
}
