import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import type { Logger } from '#ports/logger.ts'
import { HOUR_MS } from '../../../../src/durations.ts'
import { ADMIN } from '../../../support/builder-agent.ts'
import { ME, TEN } from '../../../support/holdings.ts'
import { registerAgent, signIn } from '../../../support/registered-agent.ts'
import { silentLogger } from '../../../support/silent-logger.ts'
import { openTestApp } from '../../../support/test-app.ts'
import { askStore } from '../../../support/test-store.ts'
import { toSql } from './to-sql.ts'

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const WINDOW = { rule: 'maxPerWindow', amount: '20000000000', window: 'hour' } as const
const OUTSIDE = { code: 'forbidden', message: /changed outside of the service/ }
const LOGGED = /mandate of an agent was changed outside the service/

type Policy = Omit<Input<'writePolicy'>, 'id' | 'revision'>

/** An agent with these policies, one after the other, that has built nothing yet. */
async function openHeld(...policies: readonly Policy[]) {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (text) => void errors.push(text) }
  const app = await openTestApp({ env: ADMIN, logger })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  for (const [at, policy] of policies.entries())
    await ann.writePolicy({ id: agent.id, ...policy, ...(at > 0 ? { revision: at } : {}) })
  const key = app.client({ apiKey: agent.apiKey })
  const validatorId = (await key.validators()).data.find(({ status }) => status === 'active')?.id ?? ''
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  const verdict = async () => (await root.verifyAudit()).data
  const ask = (statement: string) => askStore(app.folder, statement)
  /** Restores the rows of a table when it is disposed of. */
  const restoring = async (table: string) => {
    const rows = await ask(`select * from ${table}`)
    return {
      async [Symbol.asyncDispose]() {
        await ask(`delete from ${table}`)
        for (const row of rows) {
          const values = Object.values(row).map(toSql)
          await ask(`insert into ${table} (${Object.keys(row)}) values (${values})`)
        }
      },
    }
  }
  return {
    app,
    agent,
    ann,
    root,
    key,
    errors,
    verdict,
    stake: () => key.buildStake({ validatorId, amount: TEN, sender: ME }),
    ask,
    restoring,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

const CAREFUL: Policy = { rules: [{ rule: 'actions', allow: ['unstake'] }], loosenAfterSeconds: 86_400 }
const LOOSE: Policy = { rules: [ALL] }

/** Changes of an agent's policies by an attacker who can write the database, but lacks the pepper. */
const LOOSENED = {
  'a looser document': `update policies set document = replace(document, '"unstake"', '"stake"')`,
  'the document of another revision':
    'update policies set document = (select document from policies where revision = 2), hash = (select hash from policies where revision = 2)',
  'an earlier end of what still holds': 'update policies set holds_until = 1 where revision = 1',
  'none of what still holds': 'delete from policies where revision = 1',
  'no newest one': 'delete from policies where revision = 2',
  'none at all': 'delete from policies',
  'no seals': 'update policies set mac = null',
  'a shorter delay': 'update policies set loosen_ms = 0',
  'another author': "update policies set changed_by = 'eve'",
}

test('403: an agent whose policies were changed in the database builds nothing; the log and the audit say why', async (t) => {
  await using held = await openHeld(CAREFUL, LOOSE)
  const { stake, ask, errors, verdict, restoring } = held
  assert.equal((await verdict()).isIntact, true)
  for (const [what, statement] of Object.entries(LOOSENED))
    await t.test(what, async () => {
      await using _ = await restoring('policies')
      await ask(statement)
      await assert.rejects(stake(), OUTSIDE)
      assert.match(errors.splice(0).join(), LOGGED)
      const { isIntact, reason } = await verdict()
      assert.deepEqual([isIntact, /the policies of agt_\w+ are not/.test(reason ?? '')], [false, true])
    })
  await assert.rejects(stake(), { code: 'forbidden', message: /actions/ })
  assert.deepEqual([errors, (await verdict()).isIntact], [[], true])
})

test('neither a later policy nor a promotion makes a forged policy valid', async () => {
  await using held = await openHeld(CAREFUL, LOOSE)
  const { app, agent, ann, root, stake, ask } = held
  await ask(LOOSENED['a looser document'])
  await ann.writePolicy({ id: agent.id, ...LOOSE, revision: 2 })
  await assert.rejects(stake(), OUTSIDE)
  const next = await root.registerAgent({ agentName: 'next', tier: 'builder', replaces: agent.id })
  const validatorId = (await root.validators()).data[0]?.id ?? ''
  const build = app.client({ apiKey: next.data.apiKey }).buildStake({ validatorId, amount: TEN, sender: ME })
  await assert.rejects(build, OUTSIDE)
})

const FULL = { code: 'forbidden', message: /maxPerWindow/ }

/** Changes of reservations by the same attacker. None of them may give room in a window. */
const FREED = {
  'put into another state': "update reservations set state = 'free'",
  'made smaller': `update reservations set items = replace(items, '"${TEN}"', '"1"')`,
  'dated back': `update reservations set at = at - ${2 * HOUR_MS}`,
  'given to nobody': "update reservations set sender = '0x2', intent_id = 'x'",
  'left without a seal': 'update reservations set mac = null',
  deleted: 'delete from reservations',
}

test('403: reservations that were changed in the database leave a window as full as it was', async (t) => {
  await using held = await openHeld({ rules: [ALL, WINDOW] })
  const { app, stake, ask, verdict, errors, restoring } = held
  // Not at the very beginning of a minute.
  app.clock.advance(1_000)
  for (let built = 0; built < 2; built += 1) await stake()
  for (const [what, statement] of Object.entries(FREED))
    await t.test(`${what}: full`, async () => {
      await using _ = await restoring('reservations')
      await ask(statement)
      await assert.rejects(stake(), { code: 'forbidden', message: /maxPerWindow|changed outside/ })
      assert.equal((await verdict()).isIntact, false)
    })
  // The window now begins in the minute of the builds, so that the service adds up its rows.
  app.clock.advance(HOUR_MS - 1)
  await app.runJob('watch-network')
  for (const [what, statement] of Object.entries(FREED))
    await t.test(`${what}: noticed`, async () => {
      await using _ = await restoring('reservations')
      await ask(statement)
      await assert.rejects(stake(), OUTSIDE)
      assert.match(errors.splice(0).join(), LOGGED)
    })
  app.clock.advance(1)
  await stake()
})

/** Changes of an open reservation by the same attacker, so that shares of the stake are counted without it. */
const HIDDEN = {
  'marked as carried out': "update reservations set state = 'seen'",
  'marked as released': "update reservations set state = 'free'",
}

test('403: an open reservation that was hidden in the database is not left out of shares', async (t) => {
  await using held = await openHeld()
  const { agent, ann, key, ask, verdict, errors, restoring } = held
  // A column that no seal covers: earlier versions had it, and counted marked reservations as carried out.
  await ask('alter table reservations add column is_seen integer')
  const [validatorId = '', other = ''] = (await key.validators({ status: 'active' })).data.map(({ id }) => id)
  const build = (id: string, amount: string) => key.buildStake({ validatorId: id, amount, sender: ME })
  for (const id of [validatorId, other])
    await key.sandboxExecute({ sender: ME, commands: (await build(id, '100000000000')).commands })
  await ann.writePolicy({ id: agent.id, rules: [ALL, { rule: 'maxShare', share: 0.6 }] })
  const stake = () => build(validatorId, '40000000000')
  await stake()
  const above = { code: 'forbidden', message: /maxShare/ }
  await assert.rejects(stake(), above)
  for (const [what, statement] of Object.entries(HIDDEN))
    await t.test(what, async () => {
      await using _ = await restoring('reservations')
      await ask(statement)
      await assert.rejects(stake(), OUTSIDE)
      assert.match(errors.splice(0).join(), LOGGED)
      assert.match((await verdict()).reason ?? '', /^the reservations of agt_\w+ are not/)
    })
  await ask('update reservations set is_seen = 1')
  await assert.rejects(stake(), above)
  assert.deepEqual([errors, (await verdict()).isIntact], [[], true])
})

const FORGED_SUMS = {
  'set to nothing': "update reserved_sums set moved = '0,0,0,0'",
  'made smaller for the day': "update reserved_sums set moved = '1,0,0,0' where level = 1",
  deleted: 'delete from reserved_sums',
  'deleted for the day': 'delete from reserved_sums where level = 1',
  'dated back': `update reserved_sums set begins = begins - ${48 * HOUR_MS} where level > 0`,
  'begun anew':
    "update reserved_sums set moved = '0,0,0,0', entries = 0, in_epoch = '0,0,0,0' where level = 0",
}

test('403: sums that were changed in the database let nothing be built, until they are restored', async (t) => {
  await using held = await openHeld({ rules: [ALL, WINDOW] })
  const { stake, ask, errors, restoring } = held
  await stake()
  for (const [what, statement] of Object.entries(FORGED_SUMS))
    await t.test(what, async () => {
      await using _ = await restoring('reserved_sums')
      await ask(statement)
      await assert.rejects(stake(), OUTSIDE)
      assert.match(errors.splice(0).join(), LOGGED)
    })
  await stake()
  await assert.rejects(stake(), FULL)
})

test('a released reservation that was put back in the database is not released twice', async () => {
  await using held = await openHeld({ rules: [ALL, { ...WINDOW, amount: '30000000000' }] })
  const { key, stake, ask, errors } = held
  const [{ intentId }] = [await stake(), await stake()]
  const [row] = await ask(`select state, mac from reservations where intent_id = '${intentId}'`)
  await key.releaseReservation({ intentId })
  const state = `state = '${row?.['state']}', mac = '${row?.['mac']}'`
  await ask(`update reservations set ${state} where intent_id = '${intentId}'`)
  await assert.rejects(key.releaseReservation({ intentId }), OUTSIDE)
  assert.match(errors.join(), LOGGED)
})
