import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('words that no file matches are an error that says so', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'mutate.ts'), 'no-such-file'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.match(stderr, /^No file in the list .* has no-such-file in its path\.$/m)
})
