import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'

/** The number of answers that a client keeps. */
const KEPT = 100

/** A service whose every answer has a new version, and the tags that clients sent. */
function changingService() {
  const sent: (string | null)[] = []
  let version = 0
  const fetch = async (_url: unknown, init?: { readonly headers?: HeadersInit }) => {
    sent.push(new Headers(init?.headers).get('if-none-match'))
    version++
    return new Response('{}', { headers: { etag: `"${version}"` } })
  }
  return { client: createClient({ baseUrl: 'http://stake.example', fetch }), sent }
}

test('of too many answers the one that changed least recently is dropped, not the one that was first asked for', async () => {
  const { client, sent } = changingService()
  const ask = async (index: number) => {
    await client.validator({ id: `0x${index}` })
    return sent.at(-1)
  }
  for (let index = 0; index < KEPT; index++) assert.equal(await ask(index), null)
  assert.equal(await ask(0), '"1"')
  assert.equal(await ask(KEPT), null, 'one answer too many')
  assert.equal(await ask(0), `"${KEPT + 1}"`, 'the first path changed since, so its answer is kept')
  assert.equal(await ask(2), '"3"')
  assert.equal(await ask(1), null, 'the second path changed least recently')
})
