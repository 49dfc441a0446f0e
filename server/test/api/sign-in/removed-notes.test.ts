import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import { openTestApp } from '../../support/test-app.ts'
import { askStore } from '../../support/test-store.ts'

const RULES = [
  { rule: 'actions', allow: ['stake'] },
  { rule: 'maxPerTx', amount: '20000000000' },
] as const

/** What somebody who can write the database removes, and what they write meanwhile so that the next start seals it. */
const ATTACKS = {
  keys: {
    note: 'keys-sealed',
    forgery: `update agent_keys set mac = null, valid_until = null`,
    refused: { code: 'unauthorized' },
  },
  agents: {
    note: 'agents-sealed',
    forgery: `update agents set mac = null, tier = 'pro'`,
    refused: { code: 'unauthorized' },
  },
  policies: {
    note: 'mandates-sealed',
    forgery: `update policies set document = replace(document, '20000000000', '90000000000')`,
    refused: { code: 'forbidden', message: /changed outside of the service/ },
  },
} as const

for (const [what, { note, forgery, refused }] of Object.entries(ATTACKS)) {
  test(`who removes the note that ${what} were sealed gets nothing sealed at the next start`, async () => {
    await using app = await openTestApp({ env: ADMIN })
    const agent = await registerAgent(app, { email: 'ann@example.com' })
    const ann = app.client({ token: await signIn(app, 'ann@example.com') })
    await ann.writePolicy({ id: agent.id, rules: [...RULES] })
    const root = app.client({ token: await signIn(app, 'root@example.com') })
    assert.equal((await root.verifyAudit()).data.isIntact, true)
    await askStore(app.folder, forgery)
    await askStore(app.folder, `delete from seals where name = '${note}'`)
    const { isIntact, reason } = (await root.verifyAudit()).data
    assert.deepEqual([isIntact, reason], [false, `the note that ${what} were sealed is gone`])
    await app.stop()
    const errors: string[] = []
    const logger: Logger = { ...silentLogger, error: (text) => void errors.push(text) }
    await using again = await openTestApp({ env: ADMIN, folder: app.folder, clock: app.clock, logger })
    assert.match(errors.join(), /note that rows were sealed was removed/)
    const validatorId = (await again.client().validators()).data[0]?.id ?? ''
    const key = again.client({ apiKey: agent.apiKey })
    await assert.rejects(key.buildStake({ validatorId, amount: TEN, sender: ME }), refused)
    const later = again.client({ token: await signIn(again, 'root@example.com') })
    assert.equal((await later.verifyAudit()).data.isIntact, false)
  })
}

test('a note that is gone is told although there is nothing of its kind', async () => {
  await using app = await openTestApp({ env: ADMIN })
  await registerAgent(app, { email: 'ann@example.com' })
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  await app.runJob('anchor-audit')
  await askStore(app.folder, "delete from seals where name in ('approvals-sealed', 'mandates-sealed')")
  const { reason } = (await root.verifyAudit()).data
  assert.equal(reason, 'the note that policies were sealed is gone')
})
