import { copyFile, cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, runServer, serverFolder, unprivilegedUser } from '../server-process.ts'
import { findProgram } from './debian-program.ts'
import { ask } from './postgres-server.ts'

const LOOK = { versionFlag: '--version', folders: ['usr/sbin', 'usr/bin'], isDeep: true }

export type Pgbouncer = AsyncDisposable & { readonly url: string }

/** pgbouncer in front of a Postgres server, as docs/operations.md advises; `undefined` where there is none. */
export async function startPgbouncer(
  serverUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pgbouncer | undefined> {
  const installed = await findProgram(['pgbouncer'], ['pgbouncer'], LOOK).catch(() => undefined)
  if (installed === undefined) return undefined
  await using opened = new AsyncDisposableStack()
  const user = unprivilegedUser('postgres')
  const folder = opened.use(await serverFolder('pgbouncer', user))
  // Its user may lack the permission to read the folder of this workspace.
  const program = join(folder.path, 'program')
  await copyFile(installed.command, program)
  const libraries = join(folder.path, 'libraries')
  for (const path of installed.env['LD_LIBRARY_PATH']?.split(':').filter(Boolean) ?? [])
    await cp(path, libraries, {
      recursive: true,
      dereference: true,
      filter: (from) => from === path || from.includes('.so'),
    })
  const port = await freePort()
  const target = new URL(serverUrl)
  const file = join(folder.path, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
unix_socket_dir =
pool_mode = ${mode}
default_pool_size = 100
server_login_retry = 1
server_connect_timeout = 2
`,
  )
  const url = Object.assign(new URL(serverUrl), { port: String(port) }).href
  const server = await runServer(
    program,
    [file],
    {
      ...user,
      env: { ...installed.env, LD_LIBRARY_PATH: libraries },
      cwd: folder.path,
      pidFile: join(folder.path, 'pid'),
    },
    () => ask(url, 'select 1'),
  )
  opened.defer(() => server.stop())
  const resources = opened.move()
  return { url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
