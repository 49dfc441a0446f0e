import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { active, NOW, recordOf } from '../../../../../../test/contracts/suites/sample-agents.ts'
import { tempFolder } from '../../../../../../test/support/temp-folder.ts'
import { MINUTE_MS } from '../../../../../durations.ts'
import { openSecrets } from '../../../../system/system-secrets.ts'
import { openSqlite } from '../../../sqlite/open.ts'
import { sqlAgents } from '../../agents.ts'
import { dropOldMandates } from '../drop-old-mandates.ts'
import { writeItems } from '../reservation-content.ts'
import { beginSums, entryOf } from './booking.ts'
import { ledgerSeal } from './ledger-seal.ts'
import { isWholeLedger } from './whole-ledger.ts'

const AGENT = 1

/** As many reservations as minutes, each in one of its own. */
function reservationsIn(minutes: number, seal: ReturnType<typeof ledgerSeal>) {
  const items = writeItems([
    { action: 'stake', validatorId: '0x1', amount: 5n, token: undefined, alike: undefined },
  ])
  return Array.from({ length: minutes }, (_, minute) => {
    const id = `reservation ${minute}`
    const dates = { at: NOW + minute * MINUTE_MS, later_at: null, expires_at: NOW, epoch: 1 }
    const row = { id, intent_id: id, agent_no: AGENT, ...dates, sender: null, items, state: 'counts' }
    return { ...row, mac: seal.sealReservation(row) }
  })
}

test('old reservations leave the sums in steps of few statements, because their agent is locked meanwhile', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const { db } = store
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  await sqlAgents({ db, secrets }).registerWithin(active('a'), [], recordOf('self-register'))
  const seal = ledgerSeal(secrets)
  const rows = reservationsIn(300, seal)
  await db.insertInto('reservations').values(rows).execute()
  const begin = db.transaction()
  await begin.execute((transaction) => beginSums(transaction, { seal, agentNo: AGENT }, rows.map(entryOf)))

  let statements = 0
  const counted = db.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  } satisfies KyselyPlugin)
  const old = { approvalsBefore: 0, reservationsBefore: NOW + 250 * MINUTE_MS }
  for (const expected of [200, 50, 0]) {
    statements = 0
    assert.equal(await dropOldMandates(counted, secrets, old), expected)
    assert(statements < 20, `${statements} statements for ${expected} reservations`)
    assert(await isWholeLedger({ db, seal, agentNo: AGENT }))
  }
})
