import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { askStore, removeAnchors } from '../../support/test-store.ts'

const RULES = [
  { rule: 'actions', allow: ['stake'] },
  { rule: 'maxPerTx', amount: '20000000000' },
] as const

const NO_MANDATE_SEALS = [
  'update policies set mac = null',
  'update reservations set mac = null',
  'delete from reserved_sums',
]
const NO_AGENT_SEALS = ['update agents set mac = null', ...NO_MANDATE_SEALS]

/** Changes by an attacker who can write the database: rows without seals, which the next start might seal. */
const ATTACKS = {
  keys: {
    forgery: ['update agent_keys set mac = null, valid_until = null', ...NO_AGENT_SEALS],
    refused: { code: 'unauthorized' },
  },
  agents: {
    forgery: ["update agents set tier = 'enterprise', rpm = 1000000, rpd = 1000000", ...NO_AGENT_SEALS],
    refused: { code: 'unauthorized' },
  },
  policies: {
    forgery: [
      `update policies set document = replace(document, '20000000000', '90000000000')`,
      ...NO_MANDATE_SEALS,
    ],
    refused: { code: 'forbidden', message: /changed outside of the service/ },
  },
} as const

const NOT_OURS =
  /^the (?:row|keys|policies) of agt_\w+ (?:is|are) not as this service has written (?:it|them)$/

for (const [what, { forgery, refused }] of Object.entries(ATTACKS)) {
  test(`an attacker who removes the seals of ${what} and all signs of them gets nothing sealed at the next start`, async () => {
    await using app = await openTestApp({ env: ADMIN })
    const agent = await registerAgent(app, { email: 'ann@example.com' })
    const ann = app.client({ token: await signIn(app, 'ann@example.com') })
    await ann.writePolicy({ id: agent.id, rules: [...RULES] })
    const root = app.client({ token: await signIn(app, 'root@example.com') })
    assert.equal((await root.verifyAudit()).data.isIntact, true)
    await app.stop()
    await removeAnchors(app.folder)
    for (const statement of [...forgery, 'delete from seals']) await askStore(app.folder, statement)
    await using again = await openTestApp({ env: ADMIN, folder: app.folder, clock: app.clock })
    const validatorId = (await again.client().validators()).data[0]?.id ?? ''
    const key = again.client({ apiKey: agent.apiKey })
    await assert.rejects(key.buildStake({ validatorId, amount: TEN, sender: ME }), refused)
    const later = again.client({ token: await signIn(again, 'root@example.com') })
    const { isIntact, reason } = (await later.verifyAudit()).data
    assert.equal(isIntact, false)
    assert.match(reason ?? '', NOT_OURS)
  })
}
