import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { type Client, StakewrightError } from '@stakewright/client'
import { type AllFields, ENDPOINTS, type Input, ROUTES, type SortedListSpec } from '@stakewright/contract'
import { openSandboxApp } from '../../support/chain-app.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { otherSpellings } from './other-spellings.ts'

type Page = { readonly ids: readonly string[]; readonly nextCursor?: string | null | undefined }
type Asked = {
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly cursor?: string
}

type ListName = 'validators' | 'scoredValidators' | 'positions'
type ReadList = (asked: Asked) => Promise<Page>

/** Readers of lists whose values change with each epoch. A page has the ids of its items. */
const changingLists = (agent: Client): Readonly<Record<ListName, ReadList>> => ({
  validators: async (asked) => {
    const { data, nextCursor } = await agent.validators(asked as AllFields & Input<'validators'>)
    return { ids: data.map(({ id }) => id), nextCursor }
  },
  scoredValidators: async (asked) => {
    const { validators, nextCursor } = await agent.scoredValidators(
      asked as AllFields & Input<'scoredValidators'>,
    )
    return { ids: validators.map(({ validatorId }) => validatorId), nextCursor }
  },
  positions: async (asked) => {
    const input = { owner: ME, ...asked } as AllFields & Input<'positions'>
    const { positions, nextCursor } = await agent.positions(input)
    return { ids: positions.map(({ stakedTokenId }) => stakedTokenId), nextCursor }
  },
})

/** Reads all pages and calls `change` between them. Returns all ids, or the refusal. */
async function readAll(read: ReadList, asked: Asked, change: () => Promise<unknown>) {
  const seen: string[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await read({ ...asked, ...(cursor && { cursor }) }).catch((error: unknown) => error)
    if (page instanceof StakewrightError) return page
    const { ids, nextCursor } = page as Page
    seen.push(...ids)
    if (!nextCursor) return seen
    cursor = nextCursor
    await change()
  }
}

test('paging across epochs shows each item once, or is refused with how to begin again', async () => {
  await using app = await openSandboxApp()
  const agent = app.client({ apiKey: (await app.client().sandboxKey({ agentName: 'walker' })).data.apiKey })
  const { data } = await agent.validators({ status: 'active' })
  for (let at = 0; at < 30; at += 10) {
    const items = data
      .slice(at, at + 10)
      .map(({ id }, index) => ({ action: 'stake' as const, validatorId: id, amount: `${index + 1}${TEN}` }))
    const { commands } = await agent.buildBatch({ items, sender: ME })
    await agent.sandboxExecute({ sender: ME, commands })
    await agent.sandboxAdvance({ epochs: 1 })
  }
  const ends = { whole: 0, refused: 0 }
  for (const [name, read] of Object.entries(changingLists(agent))) {
    const list: SortedListSpec = ENDPOINTS[name as ListName].list
    for (const [sort, order] of Object.keys(list.sort).flatMap((one) => [
      [one, 'asc'] as const,
      [one, 'desc'] as const,
    ])) {
      const asked = { sort, order, limit: 20 }
      const { ids } = await read({ ...asked, limit: 100 })
      const seen = await readAll(read, asked, () => agent.sandboxAdvance({ epochs: 1 }))
      ends[Array.isArray(seen) ? 'whole' : 'refused']++
      if (Array.isArray(seen)) {
        assert.deepEqual(seen.toSorted(), ids.toSorted(), `${name} ${sort} ${order}`)
        continue
      }
      assert.notEqual(sort, list.id)
      assert.match(seen.message, /^`cursor` cannot go on: the data changed \(epoch \d+ is now \d+\)/)
      assert.equal(seen.fix, 'Leave out `cursor` to begin at the first page.')
      assert.equal(seen.next?.path, ROUTES[name as ListName].path)
    }
  }
  assert(ends.whole > 0 && ends.refused > 0, JSON.stringify(ends))
})

test('400: a cursor is valid for its list and input only, except that size and fields of a page may change', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const [one, two] = (await agent.validators({ limit: 2 })).data.map(({ id }) => id)
  const cursor = (await agent.validators({ sort: 'name', limit: 1 })).nextCursor ?? ''
  const ask = (query: string) =>
    fetch(`${app.url}${ROUTES.validators.path}?sort=name&cursor=${cursor}${query}`)
  assert.equal((await ask('&limit=3&fields=id')).status, 200)
  const { query } = ENDPOINTS.validators
  const values = { search: 'a', minScore: '1', maxCommission: '1', status: 'active', order: 'desc' }
  const free = ['hash', 'limit', 'cursor', 'sort', 'fields', 'view']
  assert.deepEqual(
    Object.keys(values).toSorted(),
    Object.keys(query.shape)
      .filter((name) => !free.includes(name))
      .toSorted(),
  )
  for (const [name, value] of Object.entries(values)) {
    const response = await ask(`&${name}=${value}`)
    assert.equal(response.status, 400, name)
    assert.match(
      await response.text(),
      /belongs to (another list or other filters|another `sort` or `order`)/,
    )
  }
  for (const mixed of [
    () => agent.scoredValidators({ sort: 'name', cursor }),
    async () => {
      const { nextCursor } = await agent.scoredValidators({ validators: `${one},${two}`, limit: 1 })
      return agent.scoredValidators({ limit: 1, cursor: nextCursor ?? '' })
    },
    async () => {
      const { nextCursor } = await agent.validatorHistories({ epochs: 3, limit: 1 })
      return agent.validatorHistories({ epochs: 4, limit: 1, cursor: nextCursor ?? '' })
    },
  ]) {
    await assert.rejects(mixed, { code: 'invalid_input', message: /another list or other filters/ })
  }
})

test('400: a crafted cursor with a right digest, but with a count that the list does not have', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const best = await agent.validators({ sort: 'score', limit: 100 })
  const { nextCursor } = await agent.validators({ sort: 'score', limit: 2 })
  const [mark, field, order, count, , epoch] = JSON.parse(
    Buffer.from(nextCursor ?? '', 'base64url').toString(),
  )
  assert.equal(count, 2)
  const sorted = best.data.map(({ id }) => id)
  assert.equal(best.nextCursor, null)
  for (const [wrong, seen] of [
    [-1, sorted.slice(0, -1)],
    [2.5, sorted.slice(0, 2)],
    [sorted.length + 1, sorted],
  ] as const) {
    const digest = hash('sha256', seen.toSorted().join(), 'hex').slice(0, 16)
    const parts = [mark, field, order, wrong, digest, epoch]
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    await assert.rejects(
      agent.validators({ sort: 'score', cursor }),
      { code: 'invalid_input', message: /^`cursor`/ },
      `${wrong}`,
    )
  }
})

test('400: another spelling of a cursor is refused by a sorted list', async () => {
  await using app = await openSandboxApp()
  for (const sort of ['id', 'name', 'score'] as const) {
    const cursor = (await app.agent.validators({ sort, limit: 1 })).nextCursor ?? ''
    assert.equal((await app.agent.validators({ sort, limit: 1, cursor })).data.length, 1)
    for (const spelling of otherSpellings(cursor))
      await assert.rejects(app.agent.validators({ sort, limit: 1, cursor: spelling }), {
        code: 'invalid_input',
        message: /^`cursor` is not a `nextCursor` of this list/,
      })
  }
})
