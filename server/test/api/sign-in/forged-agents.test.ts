import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentMac } from '#adapters/sql/stores/keys/agent-seal.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Logger } from '#ports/logger.ts'
import { HOUR_MS } from '../../../src/durations.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { silentLogger } from '../../support/silent-logger.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore } from '../../support/test-store.ts'

const ANN = 'ann@example.com'
const PEPPER = 'the pepper of these tests, which is long'
const ONLY_STAKE = [{ rule: 'actions', allow: ['stake'] }] as const
const SUSPENDED = { code: 'unauthorized', message: /suspended/ }

async function openWithAgent() {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (text) => void errors.push(text) }
  const app = await openTestApp({ env: ADMIN, logger })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  await ann.writePolicy({ id: agent.id, rules: [...ONLY_STAKE] })
  const key = app.client({ apiKey: agent.apiKey })
  const change = async (values: string) => {
    const where = `where id = '${agent.id}'`
    assert.equal((await askStore(app.folder, `update agents set ${values} ${where} returning id`)).length, 1)
  }
  return { app, agent, ann, key, change, errors, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Changes of an agent by an attacker who can write the database, but lacks the pepper. */
const FORGERIES = {
  'a higher tier': ["tier = 'pro'", "tier = 'free'"],
  'limits of its own': ['rpm = 100000, rpd = 1000000', 'rpm = null, rpd = null'],
  'another owner': ["owner = 'eve@example.com'", `owner = '${ANN}'`],
  'no policy': ['policy_revision = null', 'policy_revision = 1'],
  'a later end of its registration': ['verify_by = 99999999999999', undefined],
  'no seal': ['mac = null', undefined],
} as const

for (const [what, [forgery, undone]] of Object.entries(FORGERIES)) {
  test(`an agent that was given ${what} in the database is refused, and the log says so`, async () => {
    await using opened = await openWithAgent()
    const { key, change, errors } = opened
    await key.metadata()
    await change(forgery)
    await assert.rejects(key.metadata(), SUSPENDED)
    assert.match(errors.join(), /row of an agent was changed outside the service/)
    if (undone) {
      await change(undone)
      await key.metadata()
    }
  })
}

test('a suspension cannot be removed in the database, only by an admin', async () => {
  await using opened = await openWithAgent()
  const { app, agent, key, change } = opened
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  await root.updateAgent({ id: agent.id, status: 'suspended' })
  await change("status = 'active'")
  await assert.rejects(key.metadata(), SUSPENDED)
  await change("status = 'suspended'")
  await root.updateAgent({ id: agent.id, status: 'active' })
  await key.metadata()
})

/** Swaps the numbers of two agents and their keys, and with them their counters and policies. */
async function swapNumbers(folder: string): Promise<void> {
  const columns = ['owner', 'mac', 'policy_revision'] as const
  const rows = await askStore(folder, `select no, id, ${columns} from agents order by no`)
  const [one, two] = [rows[0] ?? assert.fail(), rows[1] ?? assert.fail()]
  const text = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
  await askStore(folder, `update agents set id = 'nobody' where no = ${one['no']}`)
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    const values = ['id', ...columns].map((column) => `${column} = ${text(from[column])}`)
    await askStore(folder, `update agents set ${values} where no = ${to['no']}`)
  }
  const swapped = `case agent_no when ${one['no']} then ${two['no']} else ${one['no']} end`
  await askStore(folder, `update agent_keys set agent_no = ${swapped}`)
}

test('two agents whose numbers were swapped in the database are refused', async () => {
  await using opened = await openWithAgent()
  const { app, key } = opened
  const other = await registerAgent(app, { email: 'eve@example.com' })
  await swapNumbers(app.folder)
  await assert.rejects(key.metadata(), SUSPENDED)
  await assert.rejects(app.client({ apiKey: other.apiKey }).metadata(), SUSPENDED)
  await swapNumbers(app.folder)
  await key.metadata()
})

test('no later change by the service makes a forged row valid, and revoking the agent still works', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, change, errors } = opened
  await change("tier = 'pro'")
  const rotated = (await ann.rotateKey({ id: agent.id })).data
  const named = (await ann.createKey({ id: agent.id, name: 'ci' })).data
  await ann.writePolicy({ id: agent.id, rules: [...ONLY_STAKE], revision: 1 })
  for (const { apiKey } of [rotated, named])
    await assert.rejects(app.client({ apiKey }).metadata(), SUSPENDED)
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  await root.updateAgent({ id: agent.id, status: 'suspended' })
  await root.updateAgent({ id: agent.id, status: 'active' })
  await assert.rejects(app.client({ apiKey: rotated.apiKey }).metadata(), SUSPENDED)
  errors.length = 0
  await assert.rejects(root.registerAgent({ agentName: 'x', replaces: agent.id }), { code: 'not_found' })
  assert.match(errors.join(), /row of an agent was changed outside the service/)
  await ann.revokeAgent({ id: agent.id })
  await assert.rejects(app.client({ apiKey: rotated.apiKey }).metadata(), { message: /revoked/ })
})

/** The subjects of the delivered mails to ann. */
async function mailsTo(app: TestApp): Promise<readonly string[]> {
  await app.runJob('deliver-mail')
  const mails = (await readMails(app.folder)).filter(({ to }) => to === ANN)
  return mails.map(({ raw }) => /^Subject: (.+?)\r?$/m.exec(raw)?.[1] ?? '')
}

const UNPROVEN = "identity_tier = 'unverified', verified_at = null, wallet_address = null"

test('an owner whose agent was marked as unverified in the database still gets notices and codes, and `audit verify` tells', async () => {
  await using app = await openTestApp({ env: { ...ADMIN, LIMIT_REGISTER_DAY: '2' } })
  const [agent, other] = [await registerAgent(app, { email: ANN }), await registerAgent(app, { email: ANN })]
  const ann = app.client({ token: await signIn(app, ANN) })
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  assert.equal((await root.verifyAudit()).data.reason, null)
  const before = (await mailsTo(app)).length
  await changeStore(app.folder, `update agents set ${UNPROVEN}`)
  assert.match(`${(await root.verifyAudit()).data.reason}`, /^the row of agt_\w+ is not as this service has/)
  await changeStore(app.folder, 'delete from proven_networks')

  await ann.rotateKey({ id: agent.id })
  await ann.revokeAgent({ id: agent.id })
  await app.client().reportLeak({ apiKey: other.apiKey })
  assert.deepEqual((await mailsTo(app)).slice(before), [
    'A Stakewright API key was replaced',
    'A Stakewright agent was revoked',
    'A Stakewright API key was reported as leaked and revoked',
  ])
  for (const stranger of ['one@example.org', 'two@example.org', 'three@example.org']) {
    app.clock.advance(HOUR_MS)
    await app.client().requestCode({ email: stranger })
  }
  app.clock.advance(HOUR_MS)
  await app.client().requestCode({ email: ANN })
  assert.equal((await mailsTo(app)).at(-1), 'Your sign-in code for Stakewright')
})

test('an agent that was revoked before its address was proven gets no notice, whatever the database says of it', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const agent = await registerAgent(app, { email: ANN, isVerified: false })
  const before = (await mailsTo(app)).length
  await changeStore(app.folder, "update agents set identity_tier = 'email_verified', verified_at = 1")
  await app.client().reportLeak({ apiKey: agent.apiKey })
  assert.equal((await mailsTo(app)).length, before)
})

test('an agent verified by an earlier version, which kept the end of its registration, is proven, too', async () => {
  await using app = await openTestApp({ env: { ...ADMIN, KEY_PEPPER: PEPPER } })
  const agent = await registerAgent(app, { email: ANN })
  const [row] = await askStore(app.folder, `select no from agents where id = '${agent.id}'`)
  const earlier = {
    no: Number(row?.['no']),
    id: agent.id,
    owner: ANN,
    tier: 'free',
    status: 'active',
    rpm: null,
    rpd: null,
    verify_by: app.clock.now() + HOUR_MS,
    policy_revision: null,
  }
  const mac = agentMac(openSecrets({ keyPrefix: 'stk', pepper: PEPPER }), earlier)
  await changeStore(app.folder, `update agents set verify_by = ${earlier.verify_by}, mac = '${mac}'`)
  const ann = app.client({ token: await signIn(app, ANN) })
  await ann.revokeAgent({ id: agent.id })
  assert.equal((await mailsTo(app)).at(-1), 'A Stakewright agent was revoked')
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  assert.equal((await root.verifyAudit()).data.reason, null)
})
