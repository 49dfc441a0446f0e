import type { RunningServer } from '../server-process.ts'

/** A server that belongs to one test, which may kill and restart it. */
export type DatabaseServer = AsyncDisposable & {
  readonly url: string
  /** Kills the process, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Sends the signal, without waiting for its effect. */
  signal(name: NodeJS.Signals): void
  /** Starts it again on the same port, with the same data. */
  start(): Promise<void>
}

/** Runs a server, which is stopped before the resources `below` it, such as its folder, are disposed of. */
export async function startDatabaseServer(
  url: string,
  run: () => Promise<RunningServer>,
  below: AsyncDisposableStack,
): Promise<DatabaseServer> {
  let server = await run()
  below.defer(() => server.stop())
  const resources = below.move()
  return {
    url,
    kill: () => server.kill(),
    stop: () => server.stop(),
    signal: (name) => server.signal(name),
    async start() {
      server = await run()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * The URL of the server that all files of a test run share, from the environment `variable`. A file that is run alone
 * starts its own server, which is stopped at the end of the process.
 */
export function shareServer(variable: string, start: () => Promise<DatabaseServer>): () => Promise<string> {
  let shared: Promise<string> | undefined
  return async () => {
    const given = process.env[variable]
    if (given) return given
    shared ??= start().then((server) => {
      process.once('beforeExit', () => server[Symbol.asyncDispose]())
      return server.url
    })
    return shared
  }
}
