import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createClient } from '@stakewright/client'
import { type Contender, startContender } from './contenders/contender.ts'
import { adminToken, SECRETS } from './support/agent-keys.ts'
import { UNLIMITED } from './support/beside-bare.ts'
import { compare, medianOf, ratioOf } from './support/compare.ts'

const SERVER = fileURLToPath(new URL('contenders/stakewright-server.ts', import.meta.url))
const FEW = 1_000
const PER_BATCH = 1_000
const DAY_MS = 86_400_000
const DAYS = 30
/** Many, because users have a limit per minute. */
const ADMINS = 1_000

/** Checks whether reading an agent's profile becomes slower as the agent has more logged requests. */
export async function benchProfile({ rows }: { readonly rows: number }): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const tokens = await Promise.all(
    Array.from({ length: ADMINS }, (_, at) => adminToken(`admin${at}@example.com`)),
  )
  const courses = []
  for (const [name, count] of [
    ['many', rows],
    ['few', FEW],
  ] as const) {
    const dataDir = join(folder, name)
    const id = await fillStore(dataDir, count, tokens[0] ?? '')
    const contender = opened.use(await start(name, dataDir))
    // Rows inserted behind the service's back are not in its index yet; reading the log makes the index catch up.
    const baseUrl = `http://127.0.0.1:${contender.port}`
    await createClient({ baseUrl, token: tokens[0] ?? '' }).agentAudit({ id })
    const request = tokens.map(
      (token) =>
        `GET /api/v1/agents/${id}/profile HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    courses.push({ contender, request, expectStatus: 200 })
  }
  const rounds = await compare(courses)
  const [many, few] = [rounds.get('many') ?? [], rounds.get('few') ?? []]
  console.log(`\nGET /api/v1/agents/{id}/profile with ${rows} logged requests of the agent, and with ${FEW}`)
  console.log(
    `  processor time per request ${ratioOf(few, many, 'perCpuSecond')} × that with ${FEW}` +
      ` (${Math.round(1e6 / medianOf(many, 'perCpuSecond'))} against ${Math.round(1e6 / medianOf(few, 'perCpuSecond'))} µs);` +
      ` p99 ${ratioOf(many, few, 'p99Ms')} ×`,
  )
}

const start = (name: string, dataDir: string): Promise<Contender> =>
  startContender(name, SERVER, { ...UNLIMITED, ...SECRETS, DATA_DIR: dataDir })

/** Fills a store with one agent and `rows` requests in the log over thirty days. Returns the id of the agent. */
async function fillStore(dataDir: string, rows: number, token: string): Promise<string> {
  const id = await (async () => {
    await using made = await start('made', dataDir)
    const client = createClient({ baseUrl: `http://127.0.0.1:${made.port}`, token })
    return (await client.registerAgent({ agentName: 'bench' })).data.id
  })()
  using database = new DatabaseSync(join(dataDir, 'stakewright.db'))
  const { no } = database.prepare('select no from agents where id = ?').get(id) ?? {}
  const { seq } = database.prepare('select coalesce(max(seq), 0) as seq from audit_batches').get() ?? {}
  const insertBatch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, ?, ?, ?)')
  const insertDay = database.prepare(
    'insert or replace into agent_days (agent_no, day, tools, built, built_aware) values (?, ?, ?, 0, 0)',
  )
  const today = Math.floor(Date.now() / DAY_MS)
  const batches = Math.ceil(rows / PER_BATCH)
  database.exec('begin')
  for (let at = 0; at < batches; at += 1) {
    const day = today - DAYS + 1 + Math.floor((at * DAYS) / batches)
    const i = Array.from({ length: PER_BATCH }, (_, place) => [
      (Number(seq) + at + 1) * 16_384 + place,
      day * DAY_MS,
      Number(no),
      'metadata',
      '192.0.2.0',
    ])
    insertBatch.run(Number(seq) + at + 1, day, JSON.stringify({ i, o: [], r: [] }), '0'.repeat(64))
  }
  for (let back = 0; back < DAYS; back += 1)
    insertDay.run(Number(no), today - back, JSON.stringify({ metadata: Math.ceil(rows / DAYS) }))
  database.exec('commit')
  return id
}
