import type { RunningServer } from '../server-process.ts'

/** A server of a test's own, which it may end and start again. */
export type DatabaseServer = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Sends the signal, without waiting for what comes of it. */
  signal(name: NodeJS.Signals): void
  /** On the same port, with the data it had. */
  start(): Promise<void>
}

/** Runs a server, which ends before what it stands on does. */
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
 * The server that all files of a test run share, which `variable` tells them of; a file that is run alone starts one,
 * which ends with the process.
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
