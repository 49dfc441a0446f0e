import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type SqliteStore } from '../../server/src/adapters/sql/sqlite/open.ts'
import { sqlAgents } from '../../server/src/adapters/sql/stores/agents.ts'
import { book, entryOf } from '../../server/src/adapters/sql/stores/policy/ledger/booking.ts'
import { ledgerSeal } from '../../server/src/adapters/sql/stores/policy/ledger/ledger-seal.ts'
import { sqlPolicies } from '../../server/src/adapters/sql/stores/policy/policies.ts'
import { sqlReservations } from '../../server/src/adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '../../server/src/adapters/system/system-secrets.ts'
import { agentQueues } from '../../server/src/wiring/agent-queues.ts'
import { active, EVERYBODY } from '../../server/test/contracts/suites/sample-agents.ts'
import { RECORD } from '../../server/test/policy/agent-with-policy.ts'
import { silentLogger } from '../../server/test/support/silent-logger.ts'

const DAYS_30_MS = 30 * 86_400_000
const NOW = Date.UTC(2026, 0, 31)
const LOOKS = 200
const COUNTS = [100, 1_000, 10_000]

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of this bench' })

/** Measures the cost of reading a window of 30 days by the number of builds in it. */
export async function benchWindows(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    await using store = await openSqlite(folder, { synchronous: 'normal' })
    for (const builds of COUNTS) {
      const no = await agentWith(store, builds)
      const { look, full } = await costOf(store, no)
      console.log(
        `${builds} builds in 30 days: a look takes ${look} ms of processor time; when a full window clears, ${full} ms`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Registers an agent with `builds` reservations spread over the window. Returns its number. */
async function agentWith({ db }: SqliteStore, builds: number): Promise<number> {
  const id = `agent of ${builds}`
  await sqlAgents({ db, secrets }).register(active(id), undefined)
  const document = { rules: [], loosenAfterSeconds: 0 }
  const changedBy = { id: 'ann', role: 'user' } as const
  await sqlPolicies({ db, secrets, logger: silentLogger }).write(
    EVERYBODY,
    id,
    { document, hash: '', changedAt: 0, changedBy, replaces: 0 },
    RECORD,
  )
  const { no } = await db.selectFrom('agents').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  const items = JSON.stringify([{ action: 'stake', validatorId: '0x1', amount: '18446744073709551615' }])
  const seal = ledgerSeal(secrets)
  const entries: ReturnType<typeof entryOf>[] = []
  await db.transaction().execute(async (transaction) => {
    for (let build = 0; build < builds; build += 1) {
      const at = NOW - Math.floor((DAYS_30_MS * build) / builds)
      const times = { at, later_at: null, expires_at: at, epoch: 1 }
      const state = { state: 'counts' }
      const names = { id: `${id} ${build}`, intent_id: `${id} ${build}`, agent_no: no, sender: null, items }
      const row = { ...names, ...times, ...state }
      const sealed = { ...row, mac: seal.sealReservation(row) }
      await transaction.insertInto('reservations').values(sealed).execute()
      entries.push(entryOf(sealed))
    }
    await book(transaction, { seal, agentNo: no }, entries, 1)
  })
  return no
}

async function costOf({ db }: SqliteStore, no: number) {
  const reservations = sqlReservations({ db, queueByAgent: agentQueues(), secrets, logger: silentLogger })
  const since = NOW - DAYS_30_MS
  const part = { spans: { '30days': { since } }, builtSince: undefined, latest: NOW }
  const most = (await reservations.windowUse(no, part)).moved['30days']?.stake ?? 0n
  return {
    look: await cpuOf(() => reservations.windowUse(no, part)),
    full: await cpuOf(() =>
      reservations.leavesAt(no, { since, actions: ['stake'], amount: most / 2n, without: [] }),
    ),
  }
}

async function cpuOf(look: () => Promise<unknown>): Promise<string> {
  for (let times = 0; times < LOOKS; times += 1) await look()
  const before = process.cpuUsage()
  for (let times = 0; times < LOOKS; times += 1) await look()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1_000 / LOOKS).toFixed(2)
}
