import pg from 'pg'
import { Fault } from '../../../fault.ts'

/**
 * Classes of Postgres error codes caused by the statement: data, integrity, syntax. All others mean that the server
 * cannot work now, or that the connection is broken. `0A` (not supported) is among them: this service's statements
 * are supported, unless a foreign rule on a table prevents them.
 */
const STATEMENT_ERRORS: ReadonlySet<string> = new Set(['21', '22', '23', '2B', '42', '44', 'P0'])

/** Whether the store failed, not the statement. A full disk and a read-only standby count as the store. */
function isStoreFailure(error: unknown): boolean {
  if (error instanceof Fault) return false
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error
  return !STATEMENT_ERRORS.has((error.code ?? '').slice(0, 2))
}

/** Whether the server reported an error on a live connection: the transaction was not committed. */
export function isRolledBack(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.severity === 'ERROR'
}

const LOCK_NOT_AVAILABLE = '55P03'

/** A lock was not free within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE
}

const CHECK_VIOLATION = '23514'

/** A log row whose day has no partition: no table has another check constraint that could fail. */
export const isMissingPartition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION

/** Turns an error of the store into a fault that says so; other errors stay unchanged. */
export function toStoreFault(cause: unknown): unknown {
  if (!isStoreFailure(cause)) return cause
  if (isLockTimeout(cause)) return lockedByOthers(cause)
  return new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  })
}

function lockedByOthers(cause: unknown): Fault {
  const fix = 'Send the same request again in a few seconds.'
  return new Fault(
    'service_overloaded',
    `Another request on the same records took too long, and nothing was done for this one. ${fix}`,
    { cause, fix, retryAfterSeconds: 2 },
  )
}

/**
 * The same for a statement that may have taken effect: a `commit`, or a change outside of a transaction. It is
 * undone only if the server said so itself.
 */
export function toChangeFault(cause: unknown): unknown {
  if (!isStoreFailure(cause) || isRolledBack(cause)) return toStoreFault(cause)
  return new Fault('store_not_ready', 'The data store did not confirm that this was written.', {
    cause,
    retryAfterSeconds: 1,
    outcome: 'unknown',
  })
}

/** Error classes that no retry cures: credentials, database or privileges are wrong. */
const MISCONFIGURED: ReadonlySet<string> = new Set(['28', '3D', '42'])

/**
 * The fault that ends a start. `retryAfterSeconds` is set while the store is away; otherwise the message says what is
 * wrong, and a retry does not help.
 */
export function toStartFault(error: unknown): unknown {
  const cause = error instanceof Fault ? error.cause : error
  if (!(cause instanceof Error) || isUnreachable(cause)) return toStoreFault(error)
  return new Fault('store_not_ready', `Postgres cannot be used: ${cause.message}.`, { cause })
}

/** Network errors name the failed system call; the driver's timeouts are recognised by their message. */
function isUnreachable(cause: Error): boolean {
  if (cause instanceof pg.DatabaseError) return !MISCONFIGURED.has((cause.code ?? '').slice(0, 2))
  if ('syscall' in cause || cause instanceof AggregateError) return true
  return /timeout|terminated|no answer within/i.test(cause.message)
}
