import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from '../../server/src/domain/canonical-json.ts'
import { canonical } from '../src/canonical.ts'
import { builtOn } from './support/intents.ts'

const JUDGE = join(import.meta.dirname, 'support', 'judge.py')
const has = (command: string, ...args: readonly string[]) => spawnSync(command, [...args]).status === 0
const hasJudge = has('python3', '--version') && has('openssl', 'version')

test('Python and OpenSSL compute the same ids and accept the same signatures', {
  skip: !hasJudge && 'there is no Python with OpenSSL here',
}, async () => {
  const { answers, keys } = await builtOn('walrus')
  const honest = Object.values(answers)
  const forged = honest.map((answer) => ({ ...answer, intent: { ...answer.intent, amount: '1' } }))
  const verdicts = judged({ answers: [...honest, ...forged], keys })
  assert.equal(verdicts.length, 2 * honest.length)
  for (const [at, { text, id, signature }] of verdicts.entries()) {
    const isHonest = at < honest.length
    assert.deepEqual({ id, signature }, { id: isHonest, signature: isHonest })
    if (isHonest) assert.equal(text, canonical(honest[at]?.intent))
  }
})

test('service and verifier produce the same canonical JSON for every value', () => {
  const values = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(values, (value) => {
      const wellFormed: unknown = JSON.parse(JSON.stringify(value))
      const text = canonicalJson(wellFormed)
      assert.equal(canonical(wellFormed), text)
      assert.deepEqual(JSON.parse(text), wellFormed)
    }),
  )
})

type Judged = { readonly text: string; readonly id: boolean; readonly signature: boolean }

function judged(given: object): readonly Judged[] {
  const { status, stdout, stderr } = spawnSync('python3', [JUDGE], { input: JSON.stringify(given) })
  assert.equal(status, 0, String(stderr))
  return JSON.parse(String(stdout))
}
