import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, runServer, serverFolder } from '../server-process.ts'
import { findProgram } from './debian-program.ts'
import { sendToRedis } from './redis-server.ts'

export type RedisSentinel = AsyncDisposable & { readonly host: string }

/** A sentinel with a quorum of one: it alone decides which replica replaces the primary. */
export async function startSentinel(name: string, primaryUrl: string): Promise<RedisSentinel> {
  await using opened = new AsyncDisposableStack()
  const { command, env } = await findProgram(
    ['redis-server', 'valkey-server'],
    ['redis-server', 'redis-tools'],
  )
  const folder = opened.use(await serverFolder('sentinel', undefined))
  const port = await freePort()
  const file = join(folder.path, 'sentinel.conf')
  const { port: primaryPort } = new URL(primaryUrl)
  await writeFile(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder.path}`,
      `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 1`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 4000`,
      '',
    ].join('\n'),
  )
  const server = await runServer(
    command,
    [file, '--sentinel'],
    { cwd: folder.path, env, pidFile: join(folder.path, 'pid') },
    async () => {
      const replicas = String(await sendToRedis(`redis://127.0.0.1:${port}`, 'sentinel', 'replicas', name))
      if (!replicas.includes('slave')) throw new Error('the sentinel knows of no replica yet')
    },
  )
  opened.defer(() => server.stop())
  const resources = opened.move()
  return { host: `127.0.0.1:${port}`, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}
