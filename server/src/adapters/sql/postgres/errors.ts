import pg from 'pg'
import { Fault } from '../../../fault.ts'

/**
 * The classes of Postgres' error codes that blame the statement: data, integrity, cursor and transaction state,
 * syntax. All others mean that the server cannot work now, or that the way to it is broken.
 */
const BLAME_THE_STATEMENT: ReadonlySet<string> = new Set(['0A', '21', '22', '23', '2B', '42', '44', 'P0'])

/** A disk that cannot be written or a standby that may not be have codes of otherwise blameless classes. */
export function isStoreTrouble(error: unknown): boolean {
  if (error instanceof Fault) return false
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error
  return !BLAME_THE_STATEMENT.has((error.code ?? '').slice(0, 2))
}

/** The server has answered with an error and goes on: the transaction was not committed. */
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

/** A row of the partitioned log whose day has no partition. The tables have no other check that could fail. */
export const isMissingPartition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION

/** Turns a store that cannot work into the refusal that says so; other errors stay as they are. */
export function toStoreFault(cause: unknown): unknown {
  if (!isStoreTrouble(cause)) return cause
  return new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  })
}

/** Classes of errors that waiting does not cure: the credentials, the database or the privileges are wrong. */
const MISCONFIGURED: ReadonlySet<string> = new Set(['28', '3D', '42'])

/**
 * The refusal that a start ends with. A store that is away says when to try again (`retryAfterSeconds`); one that will
 * not have this service says why, and trying again is of no use.
 */
export function toStartFault(error: unknown): unknown {
  const cause = error instanceof Fault ? error.cause : error
  if (!(cause instanceof Error) || isAway(cause)) return toStoreFault(error)
  return new Fault('store_not_ready', `Postgres cannot be used: ${cause.message}.`, { cause })
}

/** Errors of the network have the system call that failed; those of a driver that waited have neither. */
function isAway(cause: Error): boolean {
  if (cause instanceof pg.DatabaseError) return !MISCONFIGURED.has((cause.code ?? '').slice(0, 2))
  if ('syscall' in cause || cause instanceof AggregateError) return true
  return /timeout|terminated|no answer within/i.test(cause.message)
}
