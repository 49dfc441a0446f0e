import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { DatabaseServer } from './database-server.ts'
import { ask, type MakeData, startPostgres } from './postgres-server.ts'

const execute = promisify(execFile)
const NAME = 'standby'

/** Settings of a primary: a standby finds the WAL that was written while the files were copied. */
export const REPLICATION = {
  wal_level: 'replica',
  wal_keep_size: '512MB',
  hot_standby: 'on',
  max_connections: '300',
  // Commits wait for the standby, which would otherwise reconnect 5 s after a restart of the primary.
  wal_retrieve_retry_interval: '200ms',
} as const

/** Starts a synchronous standby: from now on every commit of the primary waits for it. */
export async function startStandby(
  primary: DatabaseServer,
  env: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer> {
  const standby = await startPostgres(REPLICATION, copyOf(primary), env)
  await untilStreaming(primary.url)
  await ask(primary.url, `alter system set synchronous_standby_names = '${NAME}'`, 'select pg_reload_conf()')
  return standby
}

/** Makes a standby the primary. Its commits wait for no standby until it gets its own. */
export async function promote(standby: DatabaseServer): Promise<void> {
  await ask(standby.url, 'select pg_promote(true, 60)')
}

/** Copies the files of the running primary like `pg_basebackup`, which not every Postgres comes with. */
const copyOf =
  (primary: DatabaseServer): MakeData =>
  async ({ data, user, folder }) => {
    const { port } = new URL(primary.url)
    const client = new pg.Client({ connectionString: primary.url })
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query("select pg_backup_start('standby', true)")
      const source = String((await client.query('show data_directory')).rows[0]?.data_directory)
      await cp(source, data, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') })
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      await writeFile(join(data, 'backup_label'), String(rows[0]?.labelfile))
    } finally {
      await client.end()
    }
    const auto = join(data, 'postgresql.auto.conf')
    const kept = (await readFile(auto, 'utf8')).replaceAll(
      /^(?:primary_conninfo|synchronous_standby_names).*$/gm,
      '',
    )
    const connection = `host=127.0.0.1 port=${port} user=postgres application_name=${NAME}`
    await writeFile(auto, `${kept}\nprimary_conninfo = '${connection}'\n`)
    await writeFile(join(data, 'standby.signal'), '')
    await rm(join(data, 'postmaster.opts'), { force: true })
    if (user) await execute('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    await execute('chmod', ['0700', data])
  }

async function untilStreaming(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (;;) {
      const { rowCount } = await client.query("select 1 from pg_stat_replication where state = 'streaming'")
      if (rowCount) return
    }
  } finally {
    await client.end()
  }
}
