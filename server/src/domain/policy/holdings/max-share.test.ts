import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stakedToken } from '../../../../test/support/sample-network.ts'
import { type Facts, NOTHING_BUILT, type Wish } from '../wish.ts'
import { brokenByShare } from './max-share.ts'

const NOW = Date.UTC(2026, 0, 1)
const SENDER = '0x1'

/** The `actual` of the breach by a stake with `a` while stake is held with `b`; undefined: no breach. */
function breachOf(
  share: number,
  amount: bigint,
  held: bigint,
  built: Facts['built'] = [],
): string | undefined {
  const item = { action: 'stake', validatorId: 'a', amount, leavesStake: false, token: undefined } as const
  const wish: Wish = { network: 'sandbox', sender: SENDER, items: [item], isBatch: false }
  const facts = {
    now: NOW,
    validator: () => undefined,
    tokens: held === 0n ? [] : [stakedToken('t', 'b', held)],
    epoch: { number: 1, endsAt: NOW },
    ...NOTHING_BUILT,
    built,
  }
  return brokenByShare({ rule: 'maxShare', share }, wish, facts)[0]?.actual
}

test('a share is printed rounded up, with six digits or as many as distinguish it from 1', () => {
  for (const [amount, held, share, expected] of [
    [1_000n, 2_000n, 0.3, '0.333334 with a'],
    [37n, 4n, 0.5, '0.90244 with a'],
    [750n, 250n, 0.5, '0.75 with a'],
    [2_999_999n, 1n, 0.5, '0.9999997 with a'],
    [1_000n, 0n, 0.5, '1 with a'],
    [9_999_999n, 1n, 0.5, '0.9999999 with a'],
    [50_000_002n, 49_999_998n, 0.5, '0.500001 with a'],
    [10n ** 31n - 1n, 1n, 0.5, `0.${'9'.repeat(31)} with a`],
  ] as const)
    assert.equal(breachOf(share, amount, held), expected)
})

test('a share may exceed its limit by one smallest unit (for rounding), but not by two', () => {
  assert.equal(breachOf(0.5, 500n, 500n), undefined)
  assert.equal(breachOf(0.5, 501n, 500n), undefined)
  assert.equal(breachOf(0.5, 503n, 499n), '0.501997 with a')
})

test('a maxShare of 1 is never broken, even with pending transactions', () => {
  const token = { id: 't', principal: 5n }
  const rival = (id: string, amount: bigint) => ({
    id,
    intentId: id,
    at: NOW - 1_000,
    expiresAt: NOW + 600_000,
    epoch: 1,
    sender: SENDER,
    items: [{ action: 'unstake' as const, validatorId: 'b', amount, token, alike: undefined }],
    isSeen: false,
  })
  const rivals = [rival('r1', 5n), rival('r2', 4n)]
  // Both unstakes are counted, although the token can be taken only once.
  assert.equal(breachOf(0.99, 10n, 5n, rivals), '1 with a, with what was built and is not on the chain yet')
  assert.equal(breachOf(1, 10n, 5n, rivals), undefined)
})
