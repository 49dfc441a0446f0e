import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('exit 2: words that match no file are reported as an error', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'mutate.ts'), 'no-such-file'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.match(stderr, /^No file in the list .* has no-such-file in its path\.$/m)
})
