import { join } from 'node:path'
import { Redis } from 'ioredis'
import { findProgram } from './debian-program.ts'
import { freePort, type RunningServer, runServer, serverFolder } from './server-process.ts'

/** The variable in which a test run tells its files of the server that they share. */
export const REDIS_VARIABLE = 'TEST_REDIS_URL'

/** The program is in the package of its tools. */
const PACKAGES = ['redis-server', 'redis-tools'] as const

const SETTINGS = {
  appendonly: 'yes',
  // What a crash of the process leaves behind does not depend on it, and nothing here outlives the machine.
  appendfsync: 'no',
  save: '',
  bind: '127.0.0.1',
  loglevel: 'warning',
}

export type RedisServer = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** On the same port, with the data it had. */
  start(): Promise<void>
}

/** A Redis server (or Valkey) of this process' own. */
export async function startRedis(): Promise<RedisServer> {
  await using opened = new AsyncDisposableStack()
  const { command, env } = await findProgram(['redis-server', 'valkey-server'], PACKAGES)
  const folder = opened.use(await serverFolder('redis', undefined))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}/0`
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => [`--${name}`, value])
  const run = () =>
    runServer(
      command,
      ['--port', String(port), '--dir', folder.path, ...settings],
      { cwd: folder.path, env, pidFile: join(folder.path, 'pid') },
      () => ping(url),
    )
  let server: RunningServer = await run()
  opened.defer(() => server.kill())
  const resources = opened.move()
  return {
    url,
    kill: () => server.kill(),
    stop: () => server.stop(),
    async start() {
      server = await run()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

let shared: Promise<string> | undefined

/** The server of the test run; a file that is run alone starts one, which ends with the process. */
export async function sharedRedis(): Promise<string> {
  const given = process.env[REDIS_VARIABLE]
  if (given) return given
  shared ??= startRedis().then((server) => {
    process.once('beforeExit', () => server[Symbol.asyncDispose]())
    return server.url
  })
  return shared
}

async function ping(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
  } finally {
    redis.disconnect()
  }
}
