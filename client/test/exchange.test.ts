import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createClient, NotModified, StakewrightError } from '@stakewright/client'
import { openTestApp } from '../../server/test/support/test-app.ts'

const KEY = `stk_${'A'.repeat(46)}`

suite('secrets', () => {
  test('no error quotes a key, a token or a password', () => {
    const baseUrl = 'http://127.0.0.1:9'
    for (const bad of [`${KEY}\nx`, `${KEY}\r\n\r\nx`, `${KEY} x`, `${KEY}é`, `${KEY}€`, `${KEY}\0`]) {
      for (const secret of [{ apiKey: bad }, { token: bad }]) {
        assert.throws(() => createClient({ baseUrl, ...secret }), isTypeErrorWithout(KEY))
      }
    }
    assert.throws(
      () => createClient({ baseUrl: 'http://me:hidden@127.0.0.1:9' }),
      isTypeErrorWithout('hidden'),
    )
  })

  test('space around a key is dropped', async () => {
    await using app = await openTestApp()
    const { data } = await app.client().sandboxKey({ agentName: 'x' })
    assert.equal((await app.client({ apiKey: `\t${data.apiKey}\r\n` }).usage()).tier, 'builder')
    await assert.rejects(app.client({ apiKey: ' \n' }).usage(), { code: 'unauthorized' })
  })
})

suite('304', () => {
  test('is NotModified for a caller that named its version', async () => {
    await using app = await openTestApp()
    const client = app.client()
    const { hash } = await client.validators()
    const error = await client.validators({ hash }).catch((reason: unknown) => reason)
    assert(error instanceof NotModified && error instanceof StakewrightError)
    assert.deepEqual([error.code, error.status, error.retryable], ['not_modified', 304, false])
    assert.equal((await client.validators({ hash: 'another' })).hash, hash)
  })

  test('never brings a kept answer of another version', async () => {
    const answers = [
      new Response('{"hash":"old"}', { headers: { etag: '"old"' } }),
      new Response(null, { status: 304 }),
    ]
    const fetch = async () => answers.shift() ?? Response.error()
    const client = createClient({ baseUrl: 'http://stake.example', fetch })
    assert.equal((await client.validators({ hash: 'new' })).hash, 'old')
    await assert.rejects(client.validators({ hash: 'new' }), NotModified)
  })

  test('of data that the client keeps comes from memory', async () => {
    await using app = await openTestApp()
    const client = app.client()
    const first = await client.validators()
    assert.deepEqual(await client.validators(), first)
    assert.equal(client.last?.status, 304)
  })
})

const isTypeErrorWithout = (secret: string) => (error: unknown) =>
  error instanceof TypeError && !`${error.message}${error.stack}`.includes(secret)
