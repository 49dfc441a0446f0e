import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import { MINUTE_MS } from '../../../src/durations.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { mailedCode, registerAgent, signIn } from '../../support/registered-agent.ts'
import { appCode } from '../../support/services/authenticator.ts'
import { readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { ABOVE_FIVE, ALL, ANN, approvalOf, openWithApprovals } from './with-approvals.ts'

const MOST = LIMITS.noticeMailsPerDay
const ROOT = 'root@example.com'
const TOO_MANY = MOST + 5

/** The texts of the mails to the address that have these words, oldest first. */
async function mailsOf(app: TestApp, address: string, words: RegExp): Promise<readonly string[]> {
  await app.runJob('deliver-mail')
  const mails = (await readMails(app.folder)).filter(({ to }) => to === address)
  return mails.map(({ raw }) => raw.replaceAll(/=\r?\n/g, '')).filter((text) => words.test(text))
}

/** The mails are as many as one budget allows, and only the last one has these words. */
function assertOnlyLastSays(mails: readonly string[], words: RegExp): void {
  assert.equal(mails.length, MOST)
  for (const [index, text] of mails.entries()) assert.equal(words.test(text), index === MOST - 1, text)
}

test('many policy changes do not suppress the mail about a replaced key; the last mail about them says it is the last', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann } = opened
  for (let revision = 1; revision < TOO_MANY; revision += 1) {
    await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE], revision })
  }
  await ann.rotateKey({ id: agent.id })
  await ann.createKey({ id: agent.id, name: 'second', scopes: ['read'] })
  const policies = await mailsOf(app, ANN, /^Subject: The policy of/m)
  assertOnlyLastSays(
    policies,
    /No more mails about policies of your agents that allow no more than before are/,
  )
  assert.match(policies.at(-1) ?? '', new RegExp(`audit log of each agent:\\s+${app.url}/console`))
  assert.equal((await mailsOf(app, ANN, /^Subject: .*(key was replaced|one more API key)/m)).length, 2)
})

test('many harmless policy changes do not suppress the mail about one that loosens', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann } = opened
  for (let revision = 1; revision < TOO_MANY; revision += 1) {
    await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE], revision })
  }
  await ann.writePolicy({ id: agent.id, rules: [ALL], revision: TOO_MANY })
  const loosened = await mailsOf(app, ANN, /^Subject: The policy of a Stakewright agent was loosened/m)
  assert.equal(loosened.length, 1)
  assert.match(loosened[0] ?? '', new RegExp(`\\(${agent.id}\\) may do was changed by your account`))
})

test('mails about ended keys and resumed agents do not suppress those about a new key and a promotion', async () => {
  await using app = await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '1000' } })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const root = app.client({ token: await signIn(app, ROOT) })
  for (let count = 0; count < MOST; count += 1) {
    const { data } = await ann.createKey({ id: agent.id, name: 'one more' })
    await app.client().reportLeak({ apiKey: data.apiKey })
    app.clock.advance(MINUTE_MS / 10)
    await root.updateAgent({ id: agent.id, status: count % 2 === 0 ? 'suspended' : 'active' })
    if (count % 2 === 0) await root.updateAgent({ id: agent.id, status: 'active' })
  }
  await root.registerAgent({ agentName: 'better', tier: 'pro', email: ANN, replaces: agent.id })
  assert.equal((await mailsOf(app, ANN, /^Subject: .*one more API key/m)).length, MOST)
  assert.equal((await mailsOf(app, ANN, /^Subject: .*has another tier/m)).length, 1)
})

test('mails about keys that are added and ended do not suppress those about a replaced key and an agent revoked by its key', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  const { id } = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  for (let count = 0; count < MOST; count += 1) {
    const { data } = await ann.createKey({ id, name: 'one more' })
    if (count % 2 === 0) await ann.revokeKey({ id, keyId: data.id })
    else await app.client().reportLeak({ apiKey: data.apiKey })
    app.clock.advance(MINUTE_MS / 10)
  }
  const { apiKey } = (await ann.rotateKey({ id })).data
  await app.client().reportLeak({ apiKey })
  assertOnlyLastSays(
    await mailsOf(app, ANN, /^Subject: .*one more API key/m),
    /No more mails about keys that are added/,
  )
  assert.equal((await mailsOf(app, ANN, /^Subject: .*key was replaced/m)).length, 1)
  const ended = await mailsOf(app, ANN, /The agent is revoked for good/)
  assert.equal(ended.length, 1)
})

test('many approvals of one agent do not suppress the mails about those of another', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish, decide } = opened
  const second = await registerAgent(app, { email: ANN, agentName: 'second' })
  await ann.writePolicy({ id: second.id, rules: [ALL, ABOVE_FIVE] })
  let asked = ''
  for (let count = 0; count < TOO_MANY; count += 1) {
    app.clock.advance(MINUTE_MS / 5)
    await app.runJob('watch-network')
    const amount = String(BigInt(TEN) + BigInt(count))
    asked = (await approvalOf(key.buildStake({ ...wish, amount }))).approvalId
  }
  await approvalOf(app.client({ apiKey: second.apiKey }).buildStake({ ...wish, sender: ME }))
  await decide(asked, 'refuse')
  const waiting = await mailsOf(app, ANN, /^Subject: .*asks for your approval/m)
  const of = (id: string) => waiting.filter((text) => text.includes(id))
  assertOnlyLastSays(of(agent.id), /No more mails about what this agent wants approved are sent today/)
  assert.equal(of(second.id).length, 1)
  assert.equal((await mailsOf(app, ANN, /^Subject: .*was refused/m)).length, 1)
})

test('mails about wrong second factors do not suppress those about a used recovery code and the removed factor', async () => {
  const env = {
    ...ADMIN,
    LIMIT_REGISTER_IP_HOUR: '100',
    LIMIT_REGISTER_IP_DAY: '100',
    LIMIT_IP_RPM: '1000',
  }
  await using app = await openTestApp({ env })
  const first = app.client({ token: await signIn(app, ROOT) })
  const { secret } = (await first.enrolTotp()).data
  const confirmed = await first.confirmTotp({ code: appCode(secret, app.clock.now()) })
  const wrong = 'AAAAA-AAAAA-AAAAA-AAAAA'
  let root = first
  for (const recoveryCode of confirmed.data.recoveryCodes.slice(0, 3)) {
    await app.client().requestCode({ email: ROOT })
    const code = await mailedCode(app, ROOT)
    const exchange = (totp: string) => app.client().exchangeCode({ email: ROOT, code, totp })
    for (let tries = 1; tries < LIMITS.factorTries; tries += 1) {
      await assert.rejects(exchange(wrong), { code: 'unauthorized' })
    }
    root = app.client({ token: (await exchange(recoveryCode)).data.accessToken })
    for (let tries = 1; tries < LIMITS.factorTries; tries += 1) {
      await assert.rejects(root.removeTotp({ code: wrong }), { code: 'forbidden' })
    }
  }
  app.clock.advance(MINUTE_MS)
  await root.removeTotp({ code: appCode(secret, app.clock.now()) })
  const attempts = await mailsOf(app, ROOT, /but a wrong second factor/)
  assertOnlyLastSays(attempts, /No more mails about wrong second factors are sent today/)
  assert.equal((await mailsOf(app, ROOT, /signed in to your admin account with a recovery code/)).length, 3)
  assert.equal((await mailsOf(app, ROOT, /authenticator app of your admin account was removed/)).length, 1)
})
