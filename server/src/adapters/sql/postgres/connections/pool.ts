import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../../fault.ts'
import { toChangeFault, toStoreFault } from '../errors.ts'
import type { PostgresHosts } from './hosts.ts'
import { openRequestBudget, type RequestBudget } from './request-budget.ts'
import { applySettings, type Timeouts } from './session.ts'
import { withinMs } from './within.ts'

/**
 * Opening a connection takes up to seven round trips (TCP, TLS, password, settings), over a slow link longer
 * than a request may wait. Opening continues then, and the next request uses the connection. This timeout
 * bounds how long attempts that hang after a network failure delay recovery.
 */
export const openingMs = ({ connectMs }: Timeouts): number => Math.max(1_500, connectMs)

const OPENING_TRIPS = 7

/** The server's timeout fires this much earlier than ours, so that its error says why. */
export const SERVER_LEAD_MS = 20

type Options = {
  readonly hosts: PostgresHosts
  readonly size: number
  readonly timeouts: Timeouts
  readonly logger: Logger
  /** Age of the current request; always 0 for background work. */
  readonly requestAgeMs?: () => number
}

/** A pool for Kysely: store errors become faults, and a connection that had one is not reused. */
export function openPool(
  connection: pg.ClientConfig,
  { hosts, size, timeouts, logger, requestAgeMs = () => 0 }: Options,
): PostgresPool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: openingMs(timeouts),
    onConnect: (client) => applySettings(client, timeouts),
  })
  // The pool handles errors of idle connections only, and an unhandled error event ends the process: every
  // connection gets a listener for its lifetime. The error itself is reported by the next statement.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn('a connection to Postgres broke', { reason: error.message }))
  })
  pool.on('error', () => {})

  const budget = openRequestBudget(timeouts, requestAgeMs)

  async function connect(): Promise<PostgresPoolClient> {
    const url = hosts.url()
    // The pool reads this option for every connection it opens.
    pool.options.connectionString = url
    const opening = pool.connect()
    try {
      const client = await withinMs(budget.leftMs(timeouts.connectMs, OPENING_TRIPS), opening)
      return watchClient(client, timeouts, budget)
    } catch (error) {
      // The connection may still open; the next request uses it. Waiting for a free connection says nothing
      // about the host.
      const isWaiting = pool.totalCount >= size
      opening.then(
        (client) => client.release(),
        () => isWaiting || hosts.markFailed(url),
      )
      throw toStoreFault(error)
    }
  }

  return { options: pool.options, connect, end: () => pool.end() }
}

function watchClient(
  client: pg.PoolClient,
  { statementMs }: Timeouts,
  budget: RequestBudget,
): PostgresPoolClient {
  let failure: unknown
  let isInTransaction = false
  const query = async (text: string, values: readonly unknown[]) => {
    if (failure !== undefined) return afterFailure(text, failure)
    try {
      const startedAt = performance.now()
      const config = {
        text,
        values: [...values],
        query_timeout: budget.leftMs(statementMs + SERVER_LEAD_MS, 1),
      }
      const result = await client.query(config)
      budget.note(performance.now() - startedAt)
      isInTransaction = text !== 'commit' && (isInTransaction || text === 'begin')
      return result
    } catch (error) {
      const isUndone = isInTransaction ? text !== 'commit' : /^(begin|select)\b/.test(text)
      const fault = isUndone ? toStoreFault(error) : toChangeFault(error)
      if (fault instanceof Fault) failure = fault
      throw fault
    }
  }
  return toKyselyClient(query, () => client.release(failure !== undefined))
}

/** The server rolls back when the connection closes; a `rollback` would only take more time. */
function afterFailure(text: string, failure: unknown) {
  if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
  throw failure
}

type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

/** Kysely queries by text and values only, unless it was given a cursor implementation. */
function toKyselyClient(query: Query, release: () => void): PostgresPoolClient {
  return { query: query as PostgresPoolClient['query'], release }
}
