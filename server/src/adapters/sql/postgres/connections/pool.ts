import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../../fault.ts'
import { toStoreFault } from '../errors.ts'
import type { PostgresHosts } from './hosts.ts'
import { openRequestBudget, type RequestBudget } from './request-budget.ts'
import { applySettings, type Patience } from './session.ts'
import { withinMs } from './within.ts'

/**
 * Opening a connection takes up to seven round trips (TCP, TLS, password, settings): over a slow link longer than a
 * request may wait. It is opened to the end all the same, and the next request uses it. Not longer than this, so that
 * attempts that were lost with the network do not hold up the return by more.
 */
export const openingMs = ({ connectMs }: Patience): number => Math.max(1_500, connectMs)

const OPENING_TRIPS = 7

/** The server gives up on a statement first, and says why. */
export const SERVER_LEAD_MS = 20

type Options = {
  readonly hosts: PostgresHosts
  readonly size: number
  readonly patience: Patience
  readonly logger: Logger
  /** How long the request has lasted that a connection or a statement is for; always 0 for work of our own. */
  readonly requestAgeMs?: () => number
}

/** Kysely's view of a pool: errors become refusals, and a connection that had trouble is not used again. */
export function openPool(
  connection: pg.ClientConfig,
  { hosts, size, patience, logger, requestAgeMs = () => 0 }: Options,
): PostgresPool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: openingMs(patience),
    onConnect: (client) => applySettings(client, patience),
  })
  // The pool listens for errors of idle connections only, and an error event that nobody listens for ends the process:
  // every connection gets a listener for as long as it lives. The error itself comes with the next statement.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn('a connection to Postgres broke', { reason: error.message }))
  })
  pool.on('error', () => {})

  const budget = openRequestBudget(patience, requestAgeMs)

  async function connect(): Promise<PostgresPoolClient> {
    const url = hosts.url()
    // Read for every connection that it opens.
    pool.options.connectionString = url
    const opening = pool.connect()
    try {
      const client = await withinMs(budget.leftMs(patience.connectMs, OPENING_TRIPS), opening)
      return watchClient(client, patience, budget)
    } catch (error) {
      // It may still arrive: for the next request. One that waited for its turn says nothing about the host.
      const isWaiting = pool.totalCount >= size
      opening.then(
        (client) => client.release(),
        () => isWaiting || hosts.isNot(url),
      )
      throw toStoreFault(error)
    }
  }

  return { options: pool.options, connect, end: () => pool.end() }
}

function watchClient(
  client: pg.PoolClient,
  { statementMs }: Patience,
  budget: RequestBudget,
): PostgresPoolClient {
  let trouble: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    if (trouble !== undefined) return afterTrouble(text, trouble)
    try {
      const startedAt = performance.now()
      const asked = {
        text,
        values: [...values],
        query_timeout: budget.leftMs(statementMs + SERVER_LEAD_MS, 1),
      }
      const result = await client.query(asked)
      budget.note(performance.now() - startedAt)
      return result
    } catch (error) {
      const fault = toStoreFault(error)
      if (fault instanceof Fault) trouble = fault
      throw fault
    }
  }
  return toKyselyClient(query, () => client.release(trouble !== undefined))
}

/** The server rolls back when the connection ends; asking it to would only take more time. */
function afterTrouble(text: string, trouble: unknown) {
  if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
  throw trouble
}

type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

/** Guaranteed by Kysely: it asks by text and values only, unless it was given a kind of cursor to use. */
function toKyselyClient(query: Query, release: () => void): PostgresPoolClient {
  return { query: query as PostgresPoolClient['query'], release }
}
