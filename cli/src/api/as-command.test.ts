import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@stakewright/contract'
import { asCommand } from './as-command.ts'

test('a call becomes its command line with the input filled in', () => {
  const { method, path } = ROUTES.buildUnstake
  assert.equal(
    asCommand({ method, path, body: { stakedTokenId: '0x5', amount: '10' } }),
    'stakewright tx unstake 0x5 --amount 10',
  )
})

test('missing inputs become placeholders in capitals', () => {
  assert.equal(asCommand(ROUTES.buildWithdraw), 'stakewright tx withdraw STAKED_TOKEN_ID')
  assert.equal(asCommand(ROUTES.validator), 'stakewright validator ID')
})

test('a value that a shell would split or interpret is quoted', () => {
  const body = { agentName: `it's mine; rm`, address: '0x1' }
  assert.equal(asCommand({ ...ROUTES.sandboxKey, body }), `stakewright key 'it'\\''s mine; rm' --address 0x1`)
})

test('values in the path and in the query become arguments and options', () => {
  const call = (path: string, method = 'GET') => asCommand({ method, path })
  assert.equal(call('/api/v1/staking/validators/0x5'), 'stakewright validator 0x5')
  assert.equal(call('/api/v1/agents/agt_1/approvals/apr_2'), 'stakewright read-approval agt_1 apr_2')
  assert.equal(call('/api/v1/agents/agt_1', 'DELETE'), 'stakewright keys revoke agt_1')
  assert.equal(call('/api/v1/agents/self', 'DELETE'), 'stakewright revoke-self')
  assert.equal(call('/api/v1/staking/agent/positions?owner=0x7'), 'stakewright positions 0x7')
  assert.equal(
    call('/api/v1/staking/validators?search=it%27s&limit=5'),
    `stakewright validators --search 'it'\\''s' --limit 5`,
  )
})

test('a path without a command gives undefined', () => {
  assert.equal(asCommand({ method: 'GET', path: '/nowhere' }), undefined)
})
