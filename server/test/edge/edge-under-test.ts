import type { LogFields, Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import { type EdgeOptions, openEdge } from '../../src/http/edge.ts'
import type { HttpServer } from '../../src/http/wire/server.ts'

export type LogLine = {
  readonly level: keyof Logger
  readonly event: string
  readonly fields: LogFields
  readonly error?: unknown
}

export type EdgeUnderTest = AsyncDisposable & {
  readonly edge: HttpServer
  readonly url: string
  readonly port: number
  readonly lines: readonly LogLine[]
  readonly metered: readonly { route: string; method: string; status: number; seconds: number }[]
  /** Resolves with the log line of the next request that finishes. */
  nextLine(): Promise<LogLine>
}

const nothing = () => {}

export const silentMeters: Meters = {
  requestFinished: nothing,
  jobFinished: nothing,
  snapshotAccepted: nothing,
  snapshotRefused: nothing,
  expose: async () => ({ contentType: 'text/plain', text: '' }),
}

/** A real edge on a real port, with its log lines and metered requests. */
export async function edgeUnderTest(
  prepare: (edge: HttpServer) => void = () => {},
  options: EdgeOptions = {},
): Promise<EdgeUnderTest> {
  const lines: LogLine[] = []
  const metered: { route: string; method: string; status: number; seconds: number }[] = []
  const waiting: ((line: LogLine) => void)[] = []
  const keep = (line: LogLine) => {
    lines.push(line)
    if (line.event === 'request') for (const resolve of waiting.splice(0)) resolve(line)
  }
  const logger: Logger = {
    debug: (event, fields = {}) => keep({ level: 'debug', event, fields }),
    info: (event, fields = {}) => keep({ level: 'info', event, fields }),
    warn: (event, fields = {}) => keep({ level: 'warn', event, fields }),
    error: (event, error, fields = {}) => keep({ level: 'error', event, fields, error }),
  }
  const meters: Meters = {
    ...silentMeters,
    requestFinished: (route, method, status, seconds) => metered.push({ route, method, status, seconds }),
  }
  const edge = openEdge({ logger, meters }, options)
  prepare(edge)
  const { url, port } = await edge.listen({ host: '127.0.0.1', port: 0 })
  return {
    edge,
    url,
    port,
    lines,
    metered,
    nextLine: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () => edge.close(0),
  }
}
