import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hasEnded } from '../../server/test/support/server-process.ts'
import { type ProcessOutput, readOutput } from '../process-output.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
/** The same preload as `npm start` uses. */
const PRELOADED = ['--import', new URL('../../scripts/resolve-once.mjs', import.meta.url).href]
/** The compile cache of the workspace: a start takes about half as long with it. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

/** The service in a process of its own, started as an operator does. */
export type ServiceProcess = AsyncDisposable &
  ProcessOutput & {
    readonly url: string
    readonly child: ChildProcess
    /** Sends the signal and waits for the end; resolves with the exit code, or the signal that ended it. */
    end(signal: NodeJS.Signals): Promise<number | string>
  }

export type Ended = { readonly code: number | string; readonly output: string }

/** A process that does not listen yet, or never will. */
export type SpawnedService = Omit<ServiceProcess, 'url'> & {
  /** Resolves with the address once the service listens. */
  untilListening(): Promise<string>
}

/** Runs the service to its end: for starts that fail, and for --help. */
export async function runService(env: Record<string, string>, args: readonly string[] = []): Promise<Ended> {
  const { output, ended } = readOutput(spawnProgram(env, args))
  return { code: await ended, output: output() }
}

/** Resolves once the service listens. With an IPC channel it is started the way `node --watch` does. */
export async function startService(
  env: Record<string, string>,
  channel: 'no channel' | 'channel' = 'no channel',
): Promise<ServiceProcess> {
  const service = spawnService(env, channel)
  return { ...service, url: await service.untilListening() }
}

const BY_NPM = ['npm', 'start', '--silent'] as const

/** Starts the service by `npm start`, as in the README. `child` is npm, and the service ends with it. */
export const startByNpm = (env: Record<string, string>): Promise<ServiceProcess> => startBy(BY_NPM, env)

/** Runs `npm start` on a pseudo-terminal; input to the process is typed there. */
export const startByNpmOnTerminal = (env: Record<string, string>): Promise<ServiceProcess> =>
  startBy(['script', '-qfec', BY_NPM.join(' '), '/dev/null'], { TERM: 'xterm', ...env })

async function startBy([command, ...args]: readonly [string, ...string[]], env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH, HOME, PORT: '0', SQLITE_SYNCHRONOUS: 'normal', ...env },
  })
  const service = toService(endWithRunner(child))
  return { ...service, url: await service.untilListening() }
}

/** Starts the service without waiting for it to listen. */
export function spawnService(
  env: Record<string, string>,
  channel: 'no channel' | 'channel' = 'no channel',
): SpawnedService {
  return toService(spawnProgram({ PORT: '0', ...env }, [], channel))
}

function toService(child: ChildProcess): SpawnedService {
  const output = readOutput(child)
  return {
    child,
    ...output,
    untilListening: async () => (await output.untilSaid(/API +(http:\/\/\S+?)\/api/))[1] ?? '',
    end(signal) {
      child.kill(signal)
      return output.ended
    },
    async [Symbol.asyncDispose]() {
      if (!hasEnded(child)) child.kill('SIGKILL')
      await output.ended
    },
  }
}

function spawnProgram(env: Record<string, string>, args: readonly string[], channel = 'no channel') {
  const child = spawn(process.execPath, [...PRELOADED, MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, SQLITE_SYNCHRONOUS: 'normal', ...env },
    stdio: ['ignore', 'pipe', 'pipe', channel === 'channel' ? 'ipc' : 'ignore'],
  })
  return endWithRunner(child)
}

const running = new Set<ChildProcess>()
/** If the runner stops a hanging test file, its services must end with it. */
process.once('SIGTERM', () => {
  for (const child of running) child.kill('SIGKILL')
  process.exit(143)
})

function endWithRunner(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}
