import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditVerdict } from '#ports/stores/audit-proof.ts'
import { verifyAudit } from './verify-audit.ts'

const MINUTE_MS = 60_000
const broken = (seq: number): AuditVerdict => ({ kind: 'broken', seq, reason: 'a test' })

/** A verification whose runs the test resolves itself. */
function slowProof() {
  const runs: PromiseWithResolvers<AuditVerdict>[] = []
  const verify = () => {
    const run = Promise.withResolvers<AuditVerdict>()
    runs.push(run)
    return run.promise
  }
  let now = 0
  const clock = { now: () => now }
  const ask = (signal = new AbortController().signal) => asked(signal)
  const asked = verifyAudit({ proof: { verify }, clock })
  const wait = (ms: number) => {
    now += ms
  }
  return { runs, ask, wait }
}

test('a verdict that came after its caller aborted is returned to the next caller, and only once', async () => {
  const { runs, ask, wait } = slowProof()
  const late = new AbortController()
  const first = ask(late.signal)
  late.abort()
  wait(MINUTE_MS)
  runs[0]?.resolve(broken(1))
  await first
  wait(9 * MINUTE_MS)
  assert.deepEqual(await ask(), { verdict: broken(1), checkedAt: 0 })
  const third = ask()
  runs[1]?.resolve(broken(2))
  assert.deepEqual(await third, { verdict: broken(2), checkedAt: 10 * MINUTE_MS })
  assert.equal(runs.length, 2)
})

test('concurrent callers share a run; after its verdict is received, the next caller starts a new run', async () => {
  const { runs, ask } = slowProof()
  const late = new AbortController()
  const both = [ask(), ask(late.signal)]
  late.abort()
  runs[0]?.resolve(broken(1))
  for (const { verdict } of await Promise.all(both)) assert.deepEqual(verdict, broken(1))
  void ask()
  assert.equal(runs.length, 2)
})

test('a verdict that nobody has received is dropped after ten minutes', async () => {
  const { runs, ask, wait } = slowProof()
  const late = new AbortController()
  const first = ask(late.signal)
  late.abort()
  runs[0]?.resolve(broken(1))
  await first
  wait(10 * MINUTE_MS + 1)
  void ask()
  assert.equal(runs.length, 2)
})

test('a failed run is not kept: the next caller starts a new one', async () => {
  const { runs, ask } = slowProof()
  const first = ask()
  runs[0]?.reject(new Error('no store'))
  await assert.rejects(first, /no store/)
  const second = ask()
  runs[1]?.resolve(broken(2))
  assert.deepEqual((await second).verdict, broken(2))
})
