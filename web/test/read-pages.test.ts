import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { PAGE, readPages } from '../src/data/lists/read-pages.ts'

test('a list whose items moved between pages is read again from the start, a limited number of times', async () => {
  const items = Array.from({ length: 3 * PAGE }, (_, at) => at)
  let changes = 2
  const refusal = { status: 400, details: [{ field: 'cursor', message: 'cannot go on' }] }
  const read = async ({ cursor }: { readonly cursor?: string }) => {
    const from = Number(cursor ?? 0)
    if (from > 0 && changes-- > 0) throw new StakewrightError('invalid_input', 'the data changed', refusal)
    const to = from + PAGE
    return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null }
  }
  assert.deepEqual(await readPages(read, 10), { items, hasMore: false })
  changes = Number.POSITIVE_INFINITY
  await assert.rejects(readPages(read, 10), /the data changed/)
})
