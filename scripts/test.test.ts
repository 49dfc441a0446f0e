import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../server/test/support/temp-folder.ts'

/** It has a test that asks OpenSSL. */
const PINS = 'cli/test/pins.test.ts'

test('a test that lacks something has not passed: it is named with what it lacks', async () => {
  await using empty = await tempFolder()
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [join(import.meta.dirname, 'test.ts'), PINS]
  const options = { env: { ...env, PATH: empty.path, CI: 'true' }, encoding: 'utf8' } as const
  const { status, stderr, stdout } = spawnSync(process.execPath, args, options)
  assert.match(
    stderr,
    /^Not run \(there is no OpenSSL here\):\n {2}cli\/test\/pins\.test\.ts: OpenSSL signs/m,
  )
  assert.match(stdout, /^ℹ fail 0$/m)
  assert.equal(status, 1)
})
