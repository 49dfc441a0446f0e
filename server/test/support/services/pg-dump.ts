import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'

const execute = promisify(execFile)

/** pg_dump reads servers of its own version and older ones. */
export async function canDump(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      "select current_setting('server_version_num')::integer / 10000 as major",
    )
    const version = execFileSync('pg_dump', ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return Number(/(\d+)/.exec(version)?.[1]) >= rows[0]?.major
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/** A running pg_dump that has locked all tables but one. It waits for that lock until `finish`. */
export async function holdRealDump(url: string, file: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The newest table is the last that a dump locks.
  await client.query('create table last_of_all (id integer)')
  await client.query('begin')
  await client.query('lock table last_of_all in access exclusive mode')
  const dumping = execute('pg_dump', ['--format=custom', `--file=${file}`, url])
  let failure: unknown
  dumping.catch((error: unknown) => {
    failure = error
  })
  let pid: number | undefined
  while (pid === undefined) {
    if (failure) throw failure
    // Within a transaction Postgres caches its statistics of activity from the first query on.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query<{ readonly pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
        where not granted and application_name = 'pg_dump' and datname = current_database()`,
    )
    pid = rows[0]?.pid
  }
  return {
    pid,
    async finish(): Promise<void> {
      await client.query('commit')
      await client.end()
      await dumping
    },
  }
}

/** The server's process behind a connection. */
export async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid')
  const [row] = rows
  if (!row) throw new Error('a backend has a pid')
  return row.pid
}

/** Much longer than the lock timeout of statements that give way, and shorter than the statement timeout. */
const STUCK_SECONDS = 8

/**
 * Waits for the work, however long it takes, while a dump holds its locks; rejects if a statement is blocked by the
 * dump.
 */
export async function finishDespiteDump(
  { pid }: { readonly pid: number },
  url: string,
  work: Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  try {
    while (!isDone) {
      const { rows } = await client.query<{ readonly query: string }>(
        `select query from pg_locks join pg_stat_activity using (pid)
          where not granted and $1 = any(pg_blocking_pids(pid))
            and waitstart < clock_timestamp() - make_interval(secs => $2)`,
        [pid, STUCK_SECONDS],
      )
      const [stuck] = rows
      if (stuck) throw new Error(`A statement waits for the dump: ${stuck.query}`)
    }
    await done
  } finally {
    await client.end()
  }
}

export const restoreDump = (file: string, url: string) =>
  execute('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${url}`, file])
