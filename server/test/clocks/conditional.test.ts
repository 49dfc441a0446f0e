import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, ROUTES } from '@stakewright/contract'
import { openTestApp, type TestApp } from '../support/test-app.ts'

// `Object.keys` knows no names; the keys of ROUTES are those of endpoints.
const NAMES = Object.keys(ROUTES) as EndpointName[]
const CONDITIONAL = NAMES.filter((name) => 'conditional' in ENDPOINTS[name] && ENDPOINTS[name].conditional)

async function pathOf(app: TestApp, name: EndpointName): Promise<string> {
  const { data } = await app.client().validators()
  return app.url + ROUTES[name].path.replace('{id}', data[0]?.id ?? assert.fail())
}

async function askAgain(path: string, after: () => void): Promise<{ before: Response; again: Response }> {
  const before = await fetch(path)
  assert.equal(before.status, 200, await before.text())
  after()
  const headers = { 'if-none-match': before.headers.get('etag') ?? assert.fail(`${path} has no ETag`) }
  return { before, again: await fetch(path, { headers }) }
}

/** The progress of an epoch is part of its answer. */
const CHANGES_EVERY_SECOND: readonly EndpointName[] = ['epoch']

test('304: every answer with an ETag is confirmed a second later if only its age has changed', async () => {
  await using app = await openTestApp()
  assert(CONDITIONAL.includes('validator') && CONDITIONAL.includes('price'))
  for (const name of CONDITIONAL.filter((one) => !CHANGES_EVERY_SECOND.includes(one))) {
    const { before, again } = await askAgain(await pathOf(app, name), () => app.clock.advance(1_000))
    assert.equal(again.status, 304, name)
    assert.equal(again.headers.get('etag')?.replace('W/', ''), before.headers.get('etag')?.replace('W/', ''))
  }
})

test('304 epoch: within the second, which is how long it may be cached', async () => {
  await using app = await openTestApp()
  const path = await pathOf(app, 'epoch')
  assert.equal((await askAgain(path, () => app.clock.advance(999))).again.status, 304)
  assert.equal((await askAgain(path, () => app.clock.advance(1_000))).again.status, 200)
})

test('200: an age that a client has is at most a minute behind, also while the chain cannot be read', async () => {
  await using app = await openTestApp()
  for (const name of ['validator', 'network', 'price'] as const) {
    const path = await pathOf(app, name)
    const { again } = await askAgain(path, () => app.clock.advance(60_000))
    assert.equal(again.status, 200, name)
  }
})

test('an answer that tells its age has a weak ETag: bodies of the same tag differ', async () => {
  await using app = await openTestApp()
  const plain = { headers: { 'accept-encoding': 'identity' } }
  for (const [name, isWeak] of [
    ['validator', true],
    ['network', true],
    ['price', true],
    ['validators', false],
  ] as const) {
    const { headers } = await fetch(await pathOf(app, name), plain)
    assert.equal(headers.get('etag')?.startsWith('W/"'), isWeak, name)
  }
})
