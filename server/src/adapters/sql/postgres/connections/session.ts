import type pg from 'pg'
import { Fault } from '../../../../fault.ts'

/** Timeouts for getting a connection and for one statement. */
export type Timeouts = {
  readonly connectMs: number
  readonly statementMs: number
  /** Timeout of a statement's wait for a lock. Absent: the server's own setting. */
  readonly lockMs?: number
}

/**
 * Set by a statement, because pgbouncer refuses startup parameters and `?options=` in the URL would override
 * them. Asynchronous commits are switched off: an acknowledged revocation must survive a crash of the server.
 * Read committed: admission reads after taking its locks and must see what the previous holder committed. The
 * idle timeout frees the locks of an instance that stops in mid-transaction within a request's timeout.
 */
const APPLY_SETTINGS = `select
  set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false),
  set_config('lock_timeout', coalesce($3, current_setting('lock_timeout')), false),
  set_config('default_transaction_isolation', 'read committed', false),
  case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end,
  pg_is_in_recovery() as is_standby`

/** Applies this service's settings to a new connection, in one round trip. */
export async function applySettings(client: pg.ClientBase, timeouts: Timeouts): Promise<void> {
  const { connectMs, statementMs, lockMs } = timeouts
  const { rows } = await client.query(APPLY_SETTINGS, [
    `${statementMs}ms`,
    `${connectMs + statementMs}ms`,
    lockMs === undefined ? null : `${lockMs}ms`,
  ])
  if (rows[0]?.is_standby === false) return
  throw new Fault('store_not_ready', 'This Postgres server is a standby; the primary is needed.', {
    retryAfterSeconds: 1,
  })
}
