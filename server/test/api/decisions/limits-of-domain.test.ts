import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract'
import { ACTIONS } from '@stakewright/contract/rule-values'
import { MOST_VALIDATORS, RISK_AVERSION } from '#domain/staking/stake-limits.ts'
import { VERIFY_SCHEMA } from '../../../../cli/src/verify/schema.ts'
import { STAKING_ACTIONS } from '../../../src/basics/staking-actions.ts'

// The domain may not import the contract, and the verifier's schema is read without it, so they have these values again.
test('the domain and the schema of `verify` have the limits and actions of the contract', () => {
  assert.equal(MOST_VALIDATORS, LIMITS.allocationValidators.max)
  assert.deepEqual(RISK_AVERSION, { default: LIMITS.riskAversion.default, max: LIMITS.riskAversion.max })
  assert.deepEqual(STAKING_ACTIONS, ACTIONS)
  assert.deepEqual(VERIFY_SCHEMA.input.properties.wish.properties.action.enum, ACTIONS)
})
