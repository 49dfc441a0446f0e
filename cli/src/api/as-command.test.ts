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

test('a path without a command gives undefined', () => {
  assert.equal(asCommand({ method: 'GET', path: '/nowhere' }), undefined)
})
