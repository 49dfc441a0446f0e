import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import { ME, openTestChain, soon, TOKEN, withStatus } from '../../../../test/sandbox/test-chain.ts'

const abortOf = (result: ExecutionResult) =>
  result.kind === 'aborted' ? `${result.module} ${result.code} ${result.name}` : result.kind

const DIRECTLY = 'validator 13 EWithdrawDirectly'

test('stake, next committee not selected: active in the next epoch', async () => {
  const { snapshot, stake, token } = await openTestChain()
  const { epoch, validators } = await snapshot()
  assert.equal(epoch.nextCommitteeSelected, false)
  for (const { id } of validators.filter((each) =>
    ['active', 'candidate', 'pending'].includes(each.status),
  )) {
    assert.equal((await token(await stake(id))).activationEpoch, epoch.number + 1)
  }
})

test('stake, next committee selected: active in the epoch after the next, with any validator', async () => {
  const { snapshot, stake, token, passMiddle } = await openTestChain()
  passMiddle()
  const seen = await snapshot()
  assert.equal(seen.epoch.nextCommitteeSelected, true)
  for (const status of ['active', 'candidate', 'pending'] as const) {
    const id = await stake(withStatus(seen, status).id)
    assert.equal((await token(id)).activationEpoch, seen.epoch.number + 2, status)
  }
})

test('stake with a validator that leaves or has left: abort 6', async () => {
  const { snapshot, act } = await openTestChain()
  for (const status of ['leaving', 'inactive'] as const) {
    const { id } = withStatus(await snapshot(), status)
    const result = await act({ kind: 'stake', validatorId: id, amount: TOKEN })
    assert.equal(abortOf(result), 'validator 6 EValidatorIsNotActive')
  }
})

test('pre-active stake is withdrawn directly, without rewards; requesting it aborts 13', async () => {
  for (const isLate of [false, true]) {
    const { snapshot, stake, act, passMiddle } = await openTestChain()
    if (isLate) passMiddle()
    const id = await stake(withStatus(await snapshot(), 'active').id)
    const action = { stakedTokenId: id, amount: undefined }
    assert.equal(abortOf(await act({ kind: 'unstake', ...action })), DIRECTLY)
    const result = await act({ kind: 'withdraw', ...action })
    assert.deepEqual(result.kind === 'done' ? [result.coinsPaidOut, result.consumed] : result, [
      5n * TOKEN,
      [id],
    ])
  }
})

test('pre-active stake of a validator outside the next committee stays directly withdrawable past mid-epoch', async () => {
  const { snapshot, stake, act, passMiddle } = await openTestChain()
  const id = await stake(withStatus(await snapshot(), 'candidate').id)
  passMiddle()
  const action = { stakedTokenId: id, amount: undefined }
  assert.equal(abortOf(await act({ kind: 'unstake', ...action })), DIRECTLY)
  const result = await act({ kind: 'withdraw', ...action })
  assert.equal(result.kind === 'done' && result.coinsPaidOut, 5n * TOKEN)
})

test('requested before its activation, with the validator in the next committee: active for exactly one epoch, and paid for it', async () => {
  const { chain, snapshot, stake, act, token, passMiddle } = await openTestChain()
  const { epoch, validators } = await snapshot()
  const id = await stake(validators[0]?.id ?? '', 1_000n * TOKEN)
  passMiddle()
  const requested = await act({ kind: 'unstake', stakedTokenId: id, amount: undefined })
  assert.deepEqual(requested.kind === 'done' && requested.changed, [{ id, withdrawEpoch: epoch.number + 2 }])
  await chain.advance(2)
  const { rewards } = await token(id)
  assert.ok(rewards > 0n)
  const paid = await act({ kind: 'withdraw', stakedTokenId: id, amount: undefined })
  assert.equal(paid.kind === 'done' && paid.coinsPaidOut, 1_000n * TOKEN + rewards)
})

test('active stake, requested before mid-epoch: withdraw epoch E+1', async () => {
  const { snapshot, act, tokenWith } = await openTestChain()
  const seen = await snapshot()
  const { id, owner } = await tokenWith(withStatus(seen, 'active').id)
  const result = await act({ kind: 'unstake', stakedTokenId: id, amount: undefined }, owner)
  assert.deepEqual(result.kind === 'done' && result.changed, [{ id, withdrawEpoch: seen.epoch.number + 1 }])
})

test('active stake, requested after mid-epoch with the validator in the next committee: withdraw epoch E+2', async () => {
  const { snapshot, act, tokenWith, passMiddle } = await openTestChain()
  passMiddle()
  const seen = await snapshot()
  const { id, owner } = await tokenWith(withStatus(seen, 'active').id)
  const result = await act({ kind: 'unstake', stakedTokenId: id, amount: undefined }, owner)
  assert.deepEqual(result.kind === 'done' && result.changed, [{ id, withdrawEpoch: seen.epoch.number + 2 }])
})

test('active stake, requested after mid-epoch with the validator leaving: withdraw epoch E+1', async () => {
  const { snapshot, act, tokenWith, passMiddle } = await openTestChain()
  passMiddle()
  const seen = await snapshot()
  const leaving = withStatus(seen, 'leaving')
  assert.equal(leaving.inNextCommittee, false)
  const { id, owner } = await tokenWith(leaving.id)
  const result = await act({ kind: 'unstake', stakedTokenId: id, amount: undefined }, owner)
  assert.deepEqual(result.kind === 'done' && result.changed, [{ id, withdrawEpoch: seen.epoch.number + 1 }])
})

test('active stake of a validator outside both committees: abort 13 on request, one step to withdraw, rewards included', async () => {
  const { snapshot, act, tokenWith } = await openTestChain()
  const seen = await snapshot()
  const inactive = seen.validators.filter((each) => each.status === 'inactive')
  assert.equal(inactive.length, 2)
  for (const { id: validatorId } of inactive) {
    const { id, owner, principal, rewards } = await tokenWith(validatorId)
    assert.ok(rewards > 0n)
    const action = { stakedTokenId: id, amount: undefined }
    assert.equal(abortOf(await act({ kind: 'unstake', ...action }, owner)), DIRECTLY)
    const result = await act({ kind: 'withdraw', ...action }, owner)
    assert.equal(result.kind === 'done' && result.coinsPaidOut, principal + rewards)
  }
})

test('withdraw: not before a request (10), not before its epoch (11), then principal and rewards', async () => {
  const { chain, snapshot, act, tokenWith, token } = await openTestChain()
  const { id, owner, principal } = await tokenWith(withStatus(await snapshot(), 'active').id)
  const withdraw = { kind: 'withdraw', stakedTokenId: id, amount: undefined } as const
  assert.equal(abortOf(await act(withdraw, owner)), 'validator 10 ENotWithdrawing')
  await act({ kind: 'unstake', stakedTokenId: id, amount: undefined }, owner)
  assert.equal(abortOf(await act(withdraw, owner)), 'validator 11 EWithdrawEpochNotReached')
  await chain.advance(1)
  const { rewards } = await token(id)
  const result = await act(withdraw, owner)
  assert.equal(result.kind === 'done' && result.coinsPaidOut, principal + rewards)
  assert.equal(await chain.stakedToken(id, soon()), undefined)
})

test('stake earns until its withdraw epoch, and nothing after it', async () => {
  const { chain, snapshot, act, tokenWith, token, passMiddle } = await openTestChain()
  passMiddle()
  const { id, owner, rewards } = await tokenWith(withStatus(await snapshot(), 'active').id)
  await act({ kind: 'unstake', stakedTokenId: id, amount: undefined }, owner)
  await chain.advance(1)
  const first = (await token(id)).rewards
  await chain.advance(1)
  const due = (await token(id)).rewards
  await chain.advance(5)
  assert.ok(rewards < first && first < due)
  assert.equal((await token(id)).rewards, due)
})

test('a request cannot be made twice: abort 8', async () => {
  const { snapshot, act, tokenWith } = await openTestChain()
  const { id, owner } = await tokenWith(withStatus(await snapshot(), 'active').id)
  const unstake = { kind: 'unstake', stakedTokenId: id, amount: undefined } as const
  assert.equal((await act(unstake, owner)).kind, 'done')
  assert.equal(abortOf(await act(unstake, owner)), 'validator 8 ENotStaked')
})

test('partial unstake splits first: the part is withdrawing, the rest stays active', async () => {
  const { chain, snapshot, act, stake, token } = await openTestChain()
  const id = await stake(withStatus(await snapshot(), 'active').id)
  await chain.advance(1)
  const result = await act({ kind: 'unstake', stakedTokenId: id, amount: 2n * TOKEN })
  assert.ok(result.kind === 'done')
  const [part] = result.created
  assert.deepEqual([part?.principal, (await token(id)).principal], [2n * TOKEN, 3n * TOKEN])
  assert.deepEqual(result.changed, [
    { id, withdrawEpoch: undefined },
    { id: part?.id, withdrawEpoch: result.epoch + 1 },
  ])
  assert.equal((await token(part?.id ?? '')).owner, ME)
})

test('partial withdraw of a due stake pays the part; the rest stays withdrawable', async () => {
  const { chain, snapshot, act, stake, token } = await openTestChain()
  const id = await stake(withStatus(await snapshot(), 'active').id)
  await chain.advance(1)
  await act({ kind: 'unstake', stakedTokenId: id, amount: undefined })
  await chain.advance(1)
  const paid = await act({ kind: 'withdraw', stakedTokenId: id, amount: 2n * TOKEN })
  assert.ok(paid.kind === 'done' && paid.coinsPaidOut >= 2n * TOKEN)
  const rest = await token(id)
  assert.deepEqual([rest.principal, rest.withdrawEpoch], [3n * TOKEN, paid.epoch])
})

test('an announced commission takes effect two epochs later, not one', async () => {
  const { chain, snapshot } = await openTestChain()
  const raising = (await snapshot()).validators[4]
  assert.ok(raising !== undefined && raising.nextCommissionBps > raising.commissionBps)
  const commission = async () => (await snapshot()).validators[4]?.commissionBps
  await chain.advance(1)
  assert.equal(await commission(), raising.commissionBps)
  await chain.advance(1)
  assert.equal(await commission(), raising.nextCommissionBps)
})

test('an unstake that leaves less than the joining stake takes the validator out of the set', async () => {
  const { chain, snapshot, act, tokenWith } = await openTestChain()
  const seen = await snapshot()
  const smallest = seen.validators
    .filter((each) => each.status === 'active')
    .toSorted((a, b) => Number(a.stake - b.stake))[0]
  assert.ok(smallest !== undefined)
  const operator = await tokenWithMost(chain, smallest.id)
  await act({ kind: 'unstake', stakedTokenId: operator.id, amount: undefined }, operator.owner)
  const statusNow = async () => (await snapshot()).validators.find((each) => each.id === smallest.id)?.status
  assert.equal(await statusNow(), 'leaving')
  await chain.advance(1)
  assert.equal(await statusNow(), 'inactive')
  assert.ok((await tokenWith(smallest.id)).rewards > 0n)
})

test('after ten changes of the set in one epoch, an unstake that would change it again: abort 4', async () => {
  const { chain, snapshot, act } = await openTestChain()
  const active = (await snapshot()).validators.filter((each) => each.status === 'active')
  const small = active.toSorted((a, b) => Number(a.stake - b.stake)).slice(0, 12)
  const outcomes: string[] = []
  for (const { id } of small) {
    const operator = await tokenWithMost(chain, id)
    outcomes.push(
      abortOf(await act({ kind: 'unstake', stakedTokenId: operator.id, amount: undefined }, operator.owner)),
    )
  }
  assert.ok(outcomes.includes('done'))
  assert.equal(outcomes.at(-1), 'pending_active_set 4 EMaxValidatorChangeReached')
  await chain.advance(1)
  const last = await tokenWithMost(chain, small.at(-1)?.id ?? '')
  const result = await act({ kind: 'unstake', stakedTokenId: last.id, amount: undefined }, last.owner)
  assert.equal(result.kind, 'done')
})

test('with the next epoch pending validators become active and leaving ones inactive', async () => {
  const { chain, snapshot } = await openTestChain()
  const before = await snapshot()
  await chain.advance(1)
  const after = new Map((await snapshot()).validators.map((each) => [each.id, each.status]))
  const becomes = {
    pending: 'active',
    leaving: 'inactive',
    candidate: 'candidate',
    active: 'active',
  } as const
  for (const [from, to] of Object.entries(becomes)) {
    for (const { id } of before.validators.filter((each) => each.status === from))
      assert.equal(after.get(id), to)
  }
})

test('aborts of amounts and ids name their module and code', async () => {
  const { chain, snapshot, act, stake } = await openTestChain()
  const { id: validatorId } = withStatus(await snapshot(), 'active')
  const stakeOf = (amount: bigint, to = validatorId) => act({ kind: 'stake', validatorId: to, amount })
  assert.equal(abortOf(await stakeOf(TOKEN - 1n)), 'validator_set 4 EStakingBelowThreshold')
  assert.equal(abortOf(await stakeOf(0n)), 'validator_set 4 EStakingBelowThreshold')
  assert.equal(abortOf(await stakeOf(TOKEN, ME)), 'validator_set 2 ENotAValidator')
  assert.equal(abortOf(await stakeOf(2n ** 64n - 1n)), 'balance 1 EOverflow')
  const id = await stake(validatorId, 2n * TOKEN)
  await chain.advance(1)
  const part = (amount: bigint) => act({ kind: 'unstake', stakedTokenId: id, amount })
  assert.equal(abortOf(await part(2n * TOKEN)), 'staked_token 2 EInvalidAmount')
  assert.equal(abortOf(await part(TOKEN + 1n)), 'staked_token 4 EStakeBelowThreshold')
  assert.equal(abortOf(await part(1n)), 'staked_token 4 EStakeBelowThreshold')
})

async function tokenWithMost(chain: Awaited<ReturnType<typeof openTestChain>>['chain'], validatorId: string) {
  const { delegators } = await chain.delegatorsOf(validatorId, { after: undefined, limit: 1_000 }, soon())
  const owned = await Promise.all(delegators.map(({ owner }) => chain.stakedTokensOf(owner, soon())))
  const tokens = owned.flat().filter((token) => token.validatorId === validatorId)
  const [most] = tokens.toSorted((a, b) => Number(b.principal - a.principal))
  if (most === undefined) throw new Error(`nobody stakes with ${validatorId}`)
  return most
}
