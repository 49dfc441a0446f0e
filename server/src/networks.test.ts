import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { NETWORK_RULES } from './networks.ts'

test('the contract describes the default horizon of plans per network as in the rules', () => {
  const description = ENDPOINTS.planRebalance.body.shape.horizonEpochs.meta()?.description ?? ''
  const { sandbox, ika, walrus, sui } = NETWORK_RULES
  assert.equal(sandbox.planEpochs, ika.planEpochs)
  assert.equal(NETWORK_RULES['walrus-testnet'].planEpochs, sui.planEpochs)
  for (const part of [
    `${ika.planEpochs} on Ika and the sandbox`,
    `${sui.planEpochs} on Sui and the Walrus testnet`,
    `${walrus.planEpochs} on Walrus`,
  ]) {
    assert(description.includes(part), `${part}: ${description}`)
  }
})
