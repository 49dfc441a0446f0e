import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { signIn } from '../../../support/registered-agent.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { ABOVE_FIVE, ALL, approvalOf, openWithApprovals } from '../with-approvals.ts'

const windowOf = (times: bigint) =>
  ({ rule: 'maxPerWindow', amount: String(BigInt(ABOVE_FIVE.amount) * times), window: 'day' }) as const

/** The agent's limit of requests per minute. */
const BUILDS = 10

async function nextMinute(app: TestApp): Promise<void> {
  app.clock.advance(MINUTE_MS)
  await app.runJob('watch-network')
}

/** The successful builds, and the codes of the refusals. */
function outcomesOf<Built>(answers: readonly PromiseSettledResult<Built>[]) {
  const built = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const codes = answers.flatMap((answer) => {
    if (answer.status === 'fulfilled') return []
    assert(answer.reason instanceof StakewrightError, String(answer.reason))
    return [answer.reason.code]
  })
  return { built, codes: [...new Set(codes)] }
}

test('200 or 403: builds during a policy change are checked by the policy in force, and fail for no other reason', async () => {
  await using opened = await openWithApprovals([windowOf(1_000n)])
  const { app, agent, ann, key, wish } = opened
  const small = { ...wish, amount: ABOVE_FIVE.amount }
  const hashes = [(await ann.readPolicy({ id: agent.id })).data?.hash]
  for (const revision of [1, 2, 3]) {
    await nextMinute(app)
    // Every other revision has no room beside the earlier builds.
    const room = windowOf(revision % 2 === 1 ? 1n : 1_000n)
    const builds = Array.from({ length: BUILDS }, () => key.buildStake(small))
    const written = ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE, room], revision })
    const { built, codes } = outcomesOf(await Promise.allSettled(builds))
    hashes.push((await written).data?.hash)
    assert(
      codes.every((code) => code === 'forbidden'),
      codes.join(),
    )
    for (const { intent } of built)
      assert(
        hashes.slice(-2).includes(intent.policyHash ?? ''),
        'the intent names the policy that it was judged by',
      )
  }
})

test('200 or 401: builds during a promotion succeed, or are refused because the key is revoked', async () => {
  await using opened = await openWithApprovals([windowOf(1_000n)])
  const { app, agent, key, wish } = opened
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const small = { ...wish, amount: ABOVE_FIVE.amount }
  await nextMinute(app)
  const builds = Array.from({ length: BUILDS }, () => key.buildStake(small))
  const promoted = admin.registerAgent({ agentName: 'next', tier: 'builder', replaces: agent.id })
  const { codes } = outcomesOf(await Promise.allSettled(builds))
  await promoted
  await nextMinute(app)
  assert(
    codes.every((code) => code === 'unauthorized'),
    codes.join(),
  )
  await assert.rejects(key.buildStake(small), { code: 'unauthorized', message: /revoked/ })
})

test('403: of simultaneous uses of an approval all but one are refused as used, even if it fills the window', async () => {
  await using opened = await openWithApprovals([
    { rule: 'maxPerWindow', amount: '10000000000', window: 'day' },
  ])
  const { stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'approve')
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => stake(approvalId)))
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  assert.equal(reasons.length, 5)
  for (const reason of [...reasons, await stake(approvalId).catch((error: unknown) => error)]) {
    assert(reason instanceof StakewrightError && reason.code === 'forbidden', String(reason))
    assert.match(reason.message, /used already/)
  }
})
