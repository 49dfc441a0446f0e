import { freePort } from '../server-process.ts'
import type { DatabaseServer } from './database-server.ts'
import { sendToRedis, startRedis } from './redis-server.ts'

const SLOTS = 16_384

export type RedisCluster = AsyncDisposable & { readonly nodes: readonly [DatabaseServer, DatabaseServer] }

/** A cluster of two nodes with half of the slots each. */
export async function startRedisCluster(): Promise<RedisCluster> {
  await using opened = new AsyncDisposableStack()
  const startNode = async () => {
    const busPort = await freePort()
    const settings = { 'cluster-enabled': 'yes', 'cluster-port': String(busPort) }
    return { busPort, server: opened.use(await startRedis(settings)) }
  }
  const [first, second] = [await startNode(), await startNode()]
  const half = SLOTS / 2
  await sendToRedis(first.server.url, 'cluster', 'addslotsrange', '0', String(half - 1))
  await sendToRedis(second.server.url, 'cluster', 'addslotsrange', String(half), String(SLOTS - 1))
  const { port } = new URL(second.server.url)
  await sendToRedis(first.server.url, 'cluster', 'meet', '127.0.0.1', port, String(second.busPort))
  for (const { server } of [first, second]) await untilJoined(server.url)
  const resources = opened.move()
  return { nodes: [first.server, second.server], [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function untilJoined(url: string): Promise<void> {
  for (;;) {
    const info = String(await sendToRedis(url, 'cluster', 'info'))
    if (info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:2')) return
  }
}
