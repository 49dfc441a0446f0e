import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { CountedOperations } from './counted-operations.ts'

const PROGRAM = join(import.meta.dirname, 'counted-operations.ts')

/** Far above the 10 to 50 that are needed, and far below a pass over all tokens, validators or items for each item. */
const MOST_PER_ITEM = 100

test('the work of checking a build grows by a few operations for each item of an open build, not faster', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-opt', '--no-maglev', PROGRAM])
  const counted: readonly CountedOperations[] = JSON.parse(stdout)
  assert(counted.length > 0)
  for (const [at, one] of counted.entries()) {
    assert(one.operations > one.items, `${one.name}: every open item is looked at`)
    const before = counted[at - 1]
    if (before?.name !== one.name) continue
    const perItem = (one.operations - before.operations) / (one.items - before.items)
    assert(perItem <= MOST_PER_ITEM, `${one.name}: ${perItem} operations for each of ${one.items} items`)
  }
})
