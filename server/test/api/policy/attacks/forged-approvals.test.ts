import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { DAY_MS, MINUTE_MS } from '../../../../src/durations.ts'
import { ADMIN } from '../../../support/builder-agent.ts'
import { TEN } from '../../../support/holdings.ts'
import { signIn } from '../../../support/registered-agent.ts'
import { silentLogger } from '../../../support/silent-logger.ts'
import { openTestApp } from '../../../support/test-app.ts'
import { askStore, removeAnchors } from '../../../support/test-store.ts'
import { ANN, approvalOf, openWithApprovals } from '../with-approvals.ts'
import { toSql } from './to-sql.ts'

const OUTSIDE = { code: 'forbidden', message: /The approval was changed outside of the service/ }
const LOGGED = /an approval was changed outside the service/

async function openHeld() {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (text) => void errors.push(text) }
  const opened = await openWithApprovals([], logger)
  const { app } = opened
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  const verdict = async () => (await root.verifyAudit()).data
  const ask = (statement: string) => askStore(app.folder, statement)
  return {
    ...opened,
    root,
    errors,
    verdict,
    ask,
    /** Copies the only approval. The returned function writes the copy back. */
    async copy() {
      const [row = {}] = await ask('select * from approvals')
      const values = Object.entries(row).map(([column, value]) => `${column} = ${toSql(value)}`)
      return () => ask(`update approvals set ${values}`)
    },
  }
}

/** Changes of a waiting approval by an attacker who can write the database, but lacks the pepper. */
const FORGED = {
  approved: "update approvals set state = 'approved'",
  'approved in the name of the owner': `update approvals set state = 'approved', decided_at = created_at, decided_by = '${ANN}', decided_role = 'user'`,
  'made to last': 'update approvals set expires_at = 99999999999999',
  'dated ahead': 'update approvals set created_at = created_at + 60000',
  'another wish': `update approvals set wish = replace(wish, '"${TEN}"', '"1"')`,
  'the hash of another wish': `update approvals set wish_hash = '${'0'.repeat(64)}'`,
  'another reason': 'update approvals set reason = replace(reason, \'"revision":1\', \'"revision":2\')',
  'another number': 'update approvals set no = 7',
  'already built': "update approvals set intent_id = 'x'",
  'without a seal': 'update approvals set mac = null',
}

test('403: an approval that was changed in the database opens nothing; the log and the audit say why', async (t) => {
  await using held = await openHeld()
  const { app, agent, ann, stake, decide, states, errors, verdict, ask, copy } = held
  const { approvalId } = await approvalOf(stake())
  assert.equal((await verdict()).isIntact, true)
  const putBack = await copy()
  for (const [what, statement] of Object.entries(FORGED))
    await t.test(what, async () => {
      // Stays below the limit of requests per minute.
      app.clock.advance(MINUTE_MS)
      await app.runJob('watch-network')
      await ask(statement)
      await assert.rejects(stake(approvalId), OUTSIDE)
      assert.match(errors.splice(0).join(), LOGGED)
      await assert.rejects(decide(approvalId, 'approve'), OUTSIDE)
      await assert.rejects(ann.readApproval({ id: agent.id, approvalId }), OUTSIDE)
      assert.deepEqual([await states(), (await ann.waitingApprovals({})).data], [[], []])
      const { isIntact, reason } = await verdict()
      assert.deepEqual([isIntact, /the approvals of agt_\w+ are not/.test(reason ?? '')], [false, true])
      await putBack()
      errors.length = 0
    })
  await decide(approvalId, 'approve')
  await stake(approvalId)
  assert.deepEqual([errors, (await verdict()).isIntact], [[], true])
})

test('202: beside a forged approval the same wish can be made again, and lists skip the forged one', async () => {
  await using held = await openHeld()
  const { agent, ann, key, wish, stake, decide, ask } = held
  const { approvalId: older } = await approvalOf(key.buildStake({ ...wish, amount: '11000000000' }))
  const { approvalId } = await approvalOf(stake())
  await ask(`${FORGED.approved} where id = '${approvalId}'`)
  const { approvalId: anew } = await approvalOf(stake())
  assert.notEqual(anew, approvalId)
  const page = await ann.listApprovals({ id: agent.id, limit: 2 })
  assert.deepEqual(
    page.data.map((approval) => approval.approvalId),
    [anew, older],
  )
  await decide(anew, 'approve')
  await stake(anew)
})

test('a promotion does not make a forged approval valid', async () => {
  await using held = await openHeld()
  const { app, agent, root, stake, decide, ask } = held
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  await ask("update approvals set wish_hash = 'x'")
  const next = await root.registerAgent({ agentName: 'next', tier: 'builder', replaces: agent.id })
  const approvals = await root.listApprovals({ id: next.data.id })
  assert.deepEqual(approvals.data, [])
  const key = app.client({ apiKey: next.data.apiKey })
  const validatorId = (await key.validators()).data[0]?.id ?? ''
  await assert.rejects(key.buildStake({ validatorId, amount: TEN, approvalId }), OUTSIDE)
})

test('403: an approval that was used and put back in the database is not used twice', async () => {
  await using held = await openHeld()
  const { stake, decide, errors, copy } = held
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  const putBack = await copy()
  await stake(approvalId)
  await putBack()
  await assert.rejects(stake(approvalId), OUTSIDE)
  assert.match(errors.join(), LOGGED)
})

test('an approval without a seal opens nothing after the next start either, whatever else was removed', async () => {
  await using held = await openHeld()
  const { app, agent, wish, stake, ask } = held
  const { approvalId } = await approvalOf(stake())
  await app.stop()
  await removeAnchors(app.folder)
  await ask("update approvals set state = 'approved', mac = null")
  await ask('delete from seals')
  await using again = await openTestApp({ env: ADMIN, folder: app.folder, clock: app.clock })
  const build = again.client({ apiKey: agent.apiKey }).buildStake({ ...wish, approvalId })
  await assert.rejects(build, OUTSIDE)
})

test('a decided approval that was deleted in the database is found until retention may have dropped it', async () => {
  await using held = await openHeld()
  const { app, stake, decide, ask, verdict } = held
  const [approved, used] = [
    await approvalOf(stake()),
    await approvalOf(held.key.buildStake({ ...held.wish, amount: '11000000000' })),
  ]
  await decide(approved.approvalId, 'approve')
  await decide(used.approvalId, 'refuse')
  assert.equal((await verdict()).reason, null)
  await ask(`delete from approvals where id = '${used.approvalId}'`)
  const missing = new RegExp(
    `^the approval ${used.approvalId} is missing, but the management action \\d+ \\(refuse-transaction\\) decided it$`,
  )
  assert.match(`${(await verdict()).reason}`, missing)
  const later = async (days: number) => {
    app.clock.advance(days * DAY_MS)
    const root = app.client({ token: await signIn(app, 'root@example.com') })
    return (await root.verifyAudit()).data.reason
  }
  assert.match(`${await later(88)}`, missing)
  assert.equal(await later(4), null)
})
