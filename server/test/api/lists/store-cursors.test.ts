import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  ROUTES,
} from '@stakewright/contract'
import { TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { ABOVE_FIVE, ALL, ANN, approvalOf, openWithApprovals } from '../policy/with-approvals.ts'
import { otherSpellings } from './other-spellings.ts'

type Page = { readonly nextCursor: string | null; readonly [items: string]: unknown }

/** Lists that a store pages: they are read by cursor, and are not sorted. */
const LISTS = (Object.keys(ROUTES) as EndpointName[]).filter((name) => {
  const { shape = {} } = (ENDPOINTS[name] as EndpointSpec).query ?? {}
  return 'cursor' in shape && !('sort' in shape)
})

const FREE = ['cursor', 'limit', 'fields', 'view']

/** Values of the filters that an admin may set. */
const FILTERS: Readonly<Record<string, string>> = {
  all: 'true',
  search: 'a',
  status: 'active',
  exceptName: 'nobody',
  agentId: 'agt_1',
  actor: 'user',
  action: 'register',
  from: '2020-01-01T00:00:00Z',
  to: '2100-01-01T00:00:00Z',
  state: 'decided',
}

const DAY_LIMIT = { rule: 'maxPerWindow', amount: `9${TEN}`, window: 'day' } as const

/** An admin who has two items in every list. */
async function openWithTwoOfEach() {
  const opened = await openWithApprovals([DAY_LIMIT])
  const { app, ann, agent, key, wish } = opened
  const other = await registerAgent(app, { email: ANN })
  for (const amount of ['1000000000', '2000000000']) await key.buildStake({ ...wish, amount })
  for (const amount of [TEN, `1${TEN}`]) await approvalOf(key.buildStake({ ...wish, amount }))
  await ann.writePolicy({ id: agent.id, revision: 1, rules: [ALL, ABOVE_FIVE] })
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'reader' })).data
  const token = await signIn(app, 'root@example.com')
  const ask = async (endpoint: EndpointName, query: object, id = agent.id) => {
    const { path, auth } = ROUTES[endpoint]
    const bearer = auth === 'user-token' ? token : apiKey
    const filled = path.replace('{id}', id).replace('{validatorId}', wish.validatorId)
    const all = 'all' in ((ENDPOINTS[endpoint] as EndpointSpec).query?.shape ?? {}) && { all: 'true' }
    const asked = new URLSearchParams({ ...all, ...query })
    const options = { headers: { authorization: `Bearer ${bearer}` } }
    const response = await fetch(`${app.url}${filled}?${asked}`, options)
    return { status: response.status, body: await response.json() }
  }
  const cursors = new Map<EndpointName, string>()
  for (const endpoint of LISTS) {
    const { body } = await ask(endpoint, { limit: '1' })
    const { nextCursor } = body as Page
    assert(nextCursor, `${endpoint}: ${JSON.stringify(body)}`)
    cursors.set(endpoint, nextCursor)
  }
  return { ask, cursors, other, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

function assertRefused(
  { status, body }: { status: number; body: unknown },
  why: RegExp,
  label: string,
): void {
  const { error, fix, message } = body as ErrorBody
  assert.deepEqual(
    [status, error, fix],
    [400, 'invalid_input', 'Leave out `cursor` to begin at the first page.'],
    label,
  )
  assert.match(message, why, label)
}

test('400: a cursor of a list that a store pages is valid for its list and filters only', async () => {
  await using opened = await openWithTwoOfEach()
  const { ask, cursors, other } = opened
  assert(LISTS.includes('agentAudit') && LISTS.includes('delegators') && LISTS.length >= 8, LISTS.join())
  for (const [endpoint, cursor] of cursors) {
    const free = await ask(endpoint, { cursor, limit: '5', view: 'compact' })
    assert.equal(free.status, 200, `${endpoint}: ${JSON.stringify(free.body)}`)
    for (const [of, wrong] of cursors)
      if (of !== endpoint)
        assertRefused(
          await ask(endpoint, { cursor: wrong }),
          /another list or other filters/,
          `${of} ${endpoint}`,
        )
    const { query }: EndpointSpec = ENDPOINTS[endpoint]
    for (const name of Object.keys(query?.shape ?? {}).filter((each) => !FREE.includes(each))) {
      const value = name === 'all' ? 'false' : FILTERS[name]
      assert(value, `a value for ${name}`)
      const label = `${endpoint} ${name}`
      assertRefused(await ask(endpoint, { cursor, [name]: value }), /another list or other filters/, label)
    }
    if (ROUTES[endpoint].path.includes('{id}'))
      assertRefused(await ask(endpoint, { cursor }, other.id), /another list or other filters/, endpoint)
  }
})

test('400: a changed cursor is refused', async () => {
  await using opened = await openWithTwoOfEach()
  const { ask, cursors } = opened
  for (const [endpoint, cursor] of cursors) {
    const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    for (const place of ['', '\0', 'a\0b', "'", 'x'.repeat(200), 5, null, ['1']]) {
      const changed = Buffer.from(JSON.stringify([mark, place])).toString('base64url')
      const label = `${endpoint} ${JSON.stringify(place).slice(0, 20)}`
      assertRefused(await ask(endpoint, { cursor: changed.slice(0, 256) }), /not a `nextCursor`/, label)
    }
    const unknown = Buffer.from(JSON.stringify([mark, 'x'])).toString('base64url')
    // Delegators go on after any text, because an owner may leave between two pages.
    if (endpoint === 'delegators') continue
    const { status, body } = await ask(endpoint, { cursor: unknown })
    assert.equal(status, 400, endpoint)
    assert.equal((body as ErrorBody).fix, 'Leave out `cursor` to begin at the first page.', endpoint)
  }
})

test('400: another spelling of a cursor is refused by every list that a store pages', async () => {
  await using opened = await openWithTwoOfEach()
  const { ask, cursors } = opened
  for (const [endpoint, cursor] of cursors) {
    assert.equal((await ask(endpoint, { cursor })).status, 200, endpoint)
    for (const spelling of otherSpellings(cursor))
      assertRefused(
        await ask(endpoint, { cursor: spelling }),
        /not a `nextCursor`/,
        `${endpoint} ${spelling}`,
      )
  }
})
