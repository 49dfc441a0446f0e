import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw } from '../../support/raw-request.ts'
import { codeOf, newestMail, readMails } from '../../support/services/mail-files.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const OWNER = 'ann@example.com'
const NOTICE = /^Subject: A sign-in to Stakewright from a new network/m

async function deliver(app: TestApp): Promise<void> {
  await app.runJob('deliver-mail')
}

async function signInFrom(app: TestApp, from: string): Promise<void> {
  const post = (path: string, json: unknown) =>
    sendRaw(app.url, `POST ${path}`, { headers: ['X-Forwarded-For', from], json })
  assert.equal((await post('/api/v1/auth/code', { email: OWNER })).status, 202)
  await deliver(app)
  const code = codeOf(await newestMail(app.folder, OWNER))
  assert.equal((await post('/api/v1/auth/token', { email: OWNER, code })).status, 200)
  await deliver(app)
}

async function notices(app: TestApp) {
  return (await readMails(app.folder)).filter(({ raw }) => NOTICE.test(raw))
}

test('the owner gets a mail on the first sign-in from a new network, and on no other', async () => {
  await using app = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } })
  await signInFrom(app, '192.0.2.1')
  assert.equal((await notices(app)).length, 0, 'the very first sign-in is no surprise')
  await signInFrom(app, '192.0.2.1')
  assert.equal((await notices(app)).length, 0, 'neither is one from the same network')
  await signInFrom(app, '198.51.100.7')
  const [notice, ...others] = await notices(app)
  assert.equal(others.length, 0)
  assert.equal(notice?.to, OWNER)
  assert.match(notice?.raw ?? '', /198\.51\.100\.0/)
  assert.doesNotMatch(notice?.raw ?? '', /198\.51\.100\.7/)
  await signInFrom(app, '198.51.100.7')
  assert.equal((await notices(app)).length, 1, 'it is familiar from now on')
})
