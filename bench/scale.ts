import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerFile, BARE, startBare } from './contenders/bare-contender.ts'
import { type Contender, groupOf, type Measured } from './contenders/contender.ts'
import { startRelay } from './contenders/counting-relay.ts'
import { expressDatabase, startExpress } from './contenders/express-contender.ts'
import { startOn } from './contenders/stakewright-contender.ts'
import { type StoreServers, startStores } from './contenders/store-servers.ts'
import { metadataRequests, registerAgents } from './support/agent-keys.ts'
import { CONNECTIONS, compare, type Figures, medianOf, ratioOf } from './support/compare.ts'
import { putLoad } from './support/load.ts'

const SIZES = [1, 2, 4]
const ROUNDS = 5
/** Longer than for bare: these answer fewer requests per second, and the JIT compiler needs as many of them. */
const WARM_UP_MS = 12_000
const KINDS = ['Postgres', 'Postgres + Redis', 'express'] as const
type Kind = (typeof KINDS)[number]

/** Starts one process of a kind, connected to these stores. */
type StartOne = (
  stores: Pick<StoreServers, 'redisUrl'> & { readonly databaseUrl: string },
) => Promise<Contender>

type Field = {
  readonly request: readonly string[]
  readonly start: Readonly<Record<Kind, StartOne>>
  readonly databaseUrls: Readonly<Record<Kind, string>>
  readonly bare: Contender
}

/**
 * Compares the hot path on Postgres and on Postgres + Redis, with 1, 2 and 4 instances, with the express stack on the
 * same servers and with bare `node:http`. A single instance has the first core to itself; several share all cores with
 * the stores and the load.
 */
export async function benchScale(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const stores = opened.use(await startStores())
  const field = await prepareField(opened, stores, folder)
  console.log(
    '\nGET …/agent/metadata on Postgres and Redis: 256 keys and addresses, 64 connections to each instance',
  )
  await printStoreWork(stores, field)
  await printRounds(opened, stores, field)
}

async function prepareField(
  opened: AsyncDisposableStack,
  stores: StoreServers,
  folder: string,
): Promise<Field> {
  const data = join(folder, 'data')
  const ours = await stores.database('stakewright')
  const start = {
    Postgres: ({ databaseUrl }) => startOn('Postgres', data, { DATABASE_URL: databaseUrl }),
    'Postgres + Redis': ({ databaseUrl, redisUrl }) =>
      startOn('Postgres + Redis', data, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }),
    express: ({ databaseUrl, redisUrl }) =>
      startExpress('express', { databaseUrl, redisUrl, body, limits: 'three' }),
  } satisfies Readonly<Record<Kind, StartOne>>
  await using first = await start.Postgres({ databaseUrl: ours, redisUrl: stores.redisUrl })
  const keys = await registerAgents(first.port)
  const body = await answerFile(folder, first.port, keys[0] ?? '')
  const express = await expressDatabase(stores, keys)
  return {
    request: metadataRequests(keys),
    start,
    databaseUrls: { Postgres: ours, 'Postgres + Redis': ours, express },
    bare: opened.use(await startBare(body)),
  }
}

/** Prints the round trips per request: to Postgres as counted by a relay, to Redis by its own statistics. */
async function printStoreWork(stores: StoreServers, { request, start, databaseUrls }: Field): Promise<void> {
  console.log('  what one instance asks of the stores, per request')
  console.log(`    ${' '.repeat(22)} in flight   round trips: Postgres   Redis   CPU µs: Postgres   Redis`)
  for (const kind of KINDS) {
    await using relay = await startRelay(databaseUrls[kind])
    await using one = await start[kind]({ databaseUrl: relay.url, redisUrl: stores.redisUrl })
    for (const connections of [1, 64]) {
      const load = { ports: one.ports, request, connections, expectStatus: 200 }
      await putLoad({ ...load, durationMs: 300 })
      const before = { trips: relay.roundTrips(), ...(await stores.read()) }
      const { answers } = await putLoad({ ...load, durationMs: 1_000 })
      const after = { trips: relay.roundTrips(), ...(await stores.read()) }
      const per = (figure: keyof typeof after) => (after[figure] - before[figure]) / answers
      const cells = [
        String(connections).padStart(10),
        per('trips').toFixed(2).padStart(24),
        per('scripts').toFixed(2).padStart(8),
        (per('postgresCpuSeconds') * 1e6).toFixed(0).padStart(19),
        (per('redisCpuSeconds') * 1e6).toFixed(0).padStart(8),
      ]
      console.log(`    ${(connections === 1 ? kind : '').padEnd(22)}${cells.join('')}`)
    }
  }
}

type Row = { readonly kind: Kind; readonly size: number; readonly contender: Measured }

async function printRounds(opened: AsyncDisposableStack, stores: StoreServers, field: Field): Promise<void> {
  const rows: Row[] = []
  for (const kind of KINDS) {
    const members: Contender[] = []
    const urls = { databaseUrl: field.databaseUrls[kind], redisUrl: stores.redisUrl }
    while (members.length < Math.max(...SIZES)) members.push(opened.use(await field.start[kind](urls)))
    await warmUp(groupOf(kind, members), field.request)
    for (const size of SIZES) {
      rows.push({ kind, size, contender: groupOf(`${kind}, ${size}`, members.slice(0, size)) })
    }
  }
  const contenders = [{ contender: field.bare, size: 1 }, ...rows]
  const { request } = field
  const rounds = await compare(
    contenders.map(({ contender, size }) => {
      return { contender, request, expectStatus: 200, connections: CONNECTIONS * size }
    }),
    ROUNDS,
  )
  printTable(rows, rounds)
}

async function warmUp(group: Measured, request: readonly string[]): Promise<void> {
  const { ports } = group
  group.takeCores()
  const connections = CONNECTIONS * ports.length
  await putLoad({ ports, request, connections, durationMs: WARM_UP_MS, expectStatus: 200 })
}

function printTable(rows: readonly Row[], rounds: ReadonlyMap<string, readonly Figures[]>): void {
  const of = (name: string) => rounds.get(name) ?? []
  const print = (name: string, ...ratios: readonly string[]) => {
    const figures = of(name)
    const [perCpu, perSecond] = [medianOf(figures, 'perCpuSecond'), medianOf(figures, 'perSecond')]
    const cells = [Math.round(perCpu), Math.round(perSecond), medianOf(figures, 'p99Ms').toFixed(1)]
    console.log(
      `    ${name.padEnd(22)}${cells.map((cell) => String(cell).padStart(10)).join('')}   ${ratios.join('   ')}`,
    )
  }
  console.log('  requests, by number of instances')
  console.log(`    ${' '.repeat(22)} per CPU s     per s    p99 ms   per CPU s, of bare   × express`)
  print(BARE)
  for (const { kind, size, contender } of rows) {
    const ours = of(contender.name)
    const ofBare = ratioOf(ours, of(BARE), 'perCpuSecond')
    const ofExpress = kind === 'express' ? '' : ratioOf(ours, of(`express, ${size}`), 'perCpuSecond')
    print(contender.name, ofBare.padEnd(18), ofExpress)
  }
  console.log('    (processor time of the instances; that of the stores comes on top)')
}
