import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { UNLIMITED } from './beside-bare.ts'
import { compare, ratioOf } from './compare.ts'
import { type Contender, startContender } from './contender.ts'
import { keyWithoutLimits } from './hot-path.ts'

const SERVER = fileURLToPath(new URL('stakewright-server.ts', import.meta.url))
const AGENTS = 100_000
const BATCHES = 1_000
const REQUESTS_PER_BATCH = 1_000

/** Does a request cost more with 100,000 agents and a million logged requests than in an empty store? */
export async function benchGrowth(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    const [empty, full] = [join(folder, 'empty'), join(folder, 'full')]
    {
      await using _made = await start('made', full)
    }
    fill(join(full, 'stakewright.db'))
    await using small = await start('empty', empty)
    await using large = await start('full', full)
    const courses = await Promise.all(
      [
        { contender: large, data: full },
        { contender: small, data: empty },
      ].map(async ({ contender, data }) => {
        const apiKey = await keyWithoutLimits(contender, data)
        const request = `GET /api/v1/staking/agent/metadata HTTP/1.1\r\nhost: bench\r\nx-api-key: ${apiKey}\r\n\r\n`
        return { contender, request, expectStatus: 200 }
      }),
    )
    const rounds = await compare(courses)
    const ratio = ratioOf(rounds.get('full') ?? [], rounds.get('empty') ?? [], 'perCpuSecond')
    console.log(
      `\nGET …/agent/metadata with ${AGENTS} agents and ${BATCHES * REQUESTS_PER_BATCH} logged requests`,
    )
    console.log(`  requests per CPU second ${ratio} of those in an empty store`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function start(name: string, dataDir: string): Promise<Contender> {
  return startContender(name, SERVER, { ...UNLIMITED, DATA_DIR: dataDir, ADMIN_EMAILS: 'bench@example.com' })
}

/** Strangers' agents, and batches of a log that is as long as it is old. */
function fill(file: string): void {
  using database = new DatabaseSync(file)
  const agent = database.prepare(
    `insert into agents (id, owner, name, type, identity_tier, tier, status, key_prefix, created_at)
     values (?, ?, 'x', 'bot', 'email_verified', 'free', 'active', 'stk_xxxxxxxx', 0)`,
  )
  const key = database.prepare('insert into agent_keys (digest, agent_no) values (?, ?)')
  const activity = database.prepare(
    `insert into agent_activity (agent_no, minute_start, minute_used, day_start, day_used, last_used_at,
       last_look_up_at, last_policy_check_at) values (?, 0, 1, 0, 1, 1, 0, 0)`,
  )
  database.exec('begin')
  for (let no = 1; no <= AGENTS; no += 1) {
    const { lastInsertRowid } = agent.run(`agt_${no}`, `owner${no}@example.com`)
    key.run(`${no}`.padStart(64, '0'), lastInsertRowid)
    activity.run(lastInsertRowid)
  }
  const { seq } = database.prepare('select coalesce(max(seq), 0) as seq from audit_batches').get() ?? {}
  const batch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, 0, ?, ?)')
  for (let at = 1; at <= BATCHES; at += 1) {
    const i = Array.from({ length: REQUESTS_PER_BATCH }, (_, place) => [
      place,
      0,
      place + 1,
      'metadata',
      '192.0.2.0',
    ])
    batch.run(Number(seq) + at, JSON.stringify({ i, o: [], r: [] }), '0'.repeat(64))
  }
  database.exec('commit')
}
