import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort, runServer, serverFolder } from '../server-process.ts'
import { type DatabaseServer, shareServer, startDatabaseServer } from './database-server.ts'
import { findProgram } from './debian-program.ts'

/** The environment variable with the URL of the server that all files of a test run share. */
export const REDIS_VARIABLE = 'TEST_REDIS_URL'

/** Debian has the program itself in the package of its tools. */
const PACKAGES = ['redis-server', 'redis-tools'] as const

const SETTINGS = {
  appendonly: 'yes',
  // Data survives a crash of the process without it, and need not survive a crash of the machine.
  appendfsync: 'no',
  save: '',
  bind: '127.0.0.1',
  loglevel: 'warning',
}

/** Starts a Redis (or Valkey) server for this process. */
export async function startRedis(others: Readonly<Record<string, string>> = {}): Promise<DatabaseServer> {
  await using opened = new AsyncDisposableStack()
  const { command, env } = await findProgram(['redis-server', 'valkey-server'], PACKAGES)
  const folder = opened.use(await serverFolder('redis', undefined))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}/0`
  const settings = Object.entries({ ...SETTINGS, ...others }).flatMap(([name, value]) => [`--${name}`, value])
  const run = () =>
    runServer(
      command,
      ['--port', String(port), '--dir', folder.path, ...settings],
      { cwd: folder.path, env, pidFile: join(folder.path, 'pid') },
      () => sendToRedis(url, 'ping'),
    )
  // Awaited here: `opened` is disposed of when this function returns.
  return await startDatabaseServer(url, run, opened)
}

export const sharedRedis = shareServer(REDIS_VARIABLE, () => startRedis())

/** Sends one command over its own connection, and returns the answer. */
export async function sendToRedis(
  url: string,
  command: string,
  ...words: readonly string[]
): Promise<unknown> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await redis.call(command, ...words)
  } finally {
    redis.disconnect()
  }
}
