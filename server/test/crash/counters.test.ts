import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { AUDIT_SECRET } from '../limits/admission-store.ts'
import { readAudit } from '../limits/read-audit.ts'
import { crashRounds } from '../support/repetitions.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { linesUntilDeath, startWriter } from './killed-writer.ts'

const ROUNDS = crashRounds(8)
/** The writer's largest batch: up to seven requests may be counted and not yet acknowledged when it dies. */
const IN_FLIGHT = 7

/** Kills a writer after `count` acknowledgements. Returns the acknowledged requests of each agent. */
async function writeAndKill(folder: string, count: number): Promise<Readonly<Record<string, number>>> {
  const lines = await linesUntilDeath(startWriter('counter-writer.ts', [folder]), count)
  return JSON.parse(lines.at(-1) ?? '{}')
}

/** Charges of each agent, from its row and the journal, and the number of commits in the journal. */
function readCounters(folder: string) {
  using database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true })
  const rows = database.prepare('select id, day_used from agent_counters join agents on no = agent_no').all()
  const { commits } = database.prepare('select count(*) as commits from counter_journal').get() ?? {}
  return {
    charged: new Map(rows.map((row) => [String(row['id']), Number(row['day_used'])])),
    commits: Number(commits),
  }
}

test(`${ROUNDS} × kill -9 while counters are folded: every acknowledged request is charged exactly once, and the log is intact`, async () => {
  await using folder = await tempFolder()
  let left = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    const acknowledged = await writeAndKill(folder.path, 11 * round)
    await writeFile(join(folder.path, AUDIT_KEY_FILE), AUDIT_SECRET)
    const { charged, commits } = readCounters(folder.path)
    left += commits
    const { admitted } = readAudit(folder.path)
    const sum = [...charged.values()].reduce((total, used) => total + used, 0)
    assert.equal(sum, admitted.length)
    for (const [id, used] of Object.entries(acknowledged)) {
      const found = charged.get(id) ?? 0
      assert(found >= used && found <= used + IN_FLIGHT, `${id}: ${used} acknowledged, ${found} charged`)
    }
    const verdict = await verifyAudit(folder.path)
    assert.equal(verdict.kind, 'intact', JSON.stringify(verdict))
  }
  assert(left > 0, 'no round left anything in the journal')
})
