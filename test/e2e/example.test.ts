import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const EXAMPLE = fileURLToPath(new URL('../../examples/life-of-an-agent.ts', import.meta.url))

test('the example life-of-an-agent runs to its end, and its payouts are exact to the unit', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE])
  const payouts = [...stdout.matchAll(/staked (\d+), expected (\d+), paid (\d+)/g)]
  assert.equal(payouts.length, 2, stdout)
  for (const [, staked, expected, paid] of payouts) {
    assert.equal(paid, expected)
    assert.ok(BigInt(paid ?? 0) > BigInt(staked ?? 0), 'it has earned something')
  }
  assert.match(stdout, /to the unit\.\n$/)
})
