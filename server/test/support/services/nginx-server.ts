import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, runServer, serverFolder, unprivilegedUser } from '../server-process.ts'
import { findProgram } from './debian-program.ts'

const SITE = fileURLToPath(new URL('../../../../ops/nginx.conf', import.meta.url))

export type NginxServer = AsyncDisposable & { readonly url: string }

/** nginx with ops/nginx.conf in front of instances on these ports; `undefined` where there is no nginx. */
export async function startNginx(ports: readonly number[]): Promise<NginxServer | undefined> {
  const installed = await findProgram(['nginx'], ['nginx']).catch(() => undefined)
  if (installed === undefined) return undefined
  await using opened = new AsyncDisposableStack()
  const user = unprivilegedUser('www-data')
  const folder = opened.use(await serverFolder('nginx', user))
  const program = join(folder.path, 'program')
  await copyFile(installed.command, program)
  const port = await freePort()
  await writeFile(join(folder.path, 'site.conf'), addressed(await readFile(SITE, 'utf8'), port, ports))
  await writeFile(join(folder.path, 'nginx.conf'), MAIN)
  const url = `http://127.0.0.1:${port}`
  const server = await runServer(
    program,
    ['-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr'],
    { ...user, env: installed.env, cwd: folder.path, pidFile: join(folder.path, 'pid') },
    () => fetch(url),
  )
  opened.defer(() => server.stop())
  const resources = opened.move()
  return { url, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const MAIN = `
daemon off;
worker_processes 2;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off;
  ${TEMPORARY.map((kind) => `${kind}_temp_path ${kind};`).join(' ')}
  include site.conf;
}`

/** Replaces only the addresses: the file finds the instances by DNS, a test knows their ports. */
function addressed(site: string, port: number, ports: readonly number[]): string {
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^resolver .*$/m, ''],
    [/listen 80;/, `listen 127.0.0.1:${port};`],
    [/server stakewright:3000 resolve(.*;)/, ports.map((each) => `server 127.0.0.1:${each}$1`).join('\n  ')],
  ]
  return changes.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text)) throw new Error(`ops/nginx.conf has no ${pattern}`)
    return text.replace(pattern, replacement)
  }, site)
}
