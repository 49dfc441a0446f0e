import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { signIn } from '../../support/registered-agent.ts'
import { approvalOf, openWithApprovals } from '../policy/with-approvals.ts'

type Item = Readonly<Record<string, unknown>>
type Listed = { readonly data: readonly Item[]; readonly total?: number; readonly nextCursor?: string | null }

const DAY_LIMIT = { rule: 'maxPerWindow', amount: '100000000000', window: 'day' } as const

const LISTS = (Object.keys(ROUTES) as EndpointName[]).filter((name) => {
  const { list }: EndpointSpec = ENDPOINTS[name]
  return list !== undefined && ROUTES[name].auth === 'user-token'
})

/** An admin's token, and an agent that has at least one item in every list. */
async function openWithEverything() {
  const opened = await openWithApprovals([DAY_LIMIT])
  const { app, ann, agent, key, wish, stake } = opened
  await key.buildStake({ ...wish, amount: '1000000000' })
  await approvalOf(stake())
  for (const name of ['first', 'second', 'third']) {
    app.clock.advance(1_000)
    await ann.createKey({ id: agent.id, name })
  }
  const token = await signIn(app, 'root@example.com')
  const ask = async (endpoint: EndpointName, query: string, headers = {}) => {
    const path = ROUTES[endpoint].path.replace('{id}', agent.id)
    const options = { headers: { authorization: `Bearer ${token}`, ...headers } }
    const response = await fetch(`${app.url}${path}?${query}`, options)
    assert.equal(response.status, 200, `${endpoint} ${query}`)
    return response
  }
  const read = async (endpoint: EndpointName, query: string) =>
    (await (await ask(endpoint, query)).json()) as Listed
  return { ...opened, ask, read, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

test('200: every list of a user shows the fields that are asked for, and no others', async () => {
  await using opened = await openWithEverything()
  for (const endpoint of LISTS) {
    const { list, query }: EndpointSpec = ENDPOINTS[endpoint]
    const all = 'all' in (query?.shape ?? {}) ? '&all=true' : ''
    const [first = '', second = ''] = list?.fields ?? []
    for (const [asked, shown] of [
      ['view=compact', list?.compact],
      [`fields=${second},${first}`, [second, first]],
      ['view=full', list?.fields],
    ] as const) {
      const { data } = await opened.read(endpoint, `${asked}${all}`)
      assert(data.length > 0, endpoint)
      for (const item of data) assert.deepEqual(new Set(Object.keys(item)), new Set(shown), endpoint)
    }
  }
})

test('200: named keys and sessions are sorted and paged; without parameters they are complete', async () => {
  await using opened = await openWithEverything()
  const namesOf = ({ data }: Listed) => data.map(({ name }) => name)
  const whole = await opened.read('listKeys', '')
  assert.deepEqual([namesOf(whole), whole.total], [['third', 'second', 'first'], undefined])
  const page = await opened.read('listKeys', 'sort=name&limit=2')
  assert.deepEqual([namesOf(page), page.total], [['first', 'second'], 3])
  const rest = await opened.read('listKeys', `sort=name&cursor=${page.nextCursor}`)
  assert.deepEqual([namesOf(rest), rest.nextCursor], [['third'], null])
  const sessions = await opened.read('listSessions', 'limit=1&fields=isCurrent')
  assert.deepEqual(sessions, { success: true, data: [{ isCurrent: true }], total: 1, nextCursor: null })
})

test('200: an export of actions has the fields that are asked for', async () => {
  await using opened = await openWithEverything()
  const response = await opened.ask('listActions', 'fields=action', { accept: 'application/x-ndjson' })
  const [newest] = (await response.text()).split('\n')
  assert.equal(newest, '{"action":"sign-in"}')
})
