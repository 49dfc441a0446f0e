import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EPOCH, NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { openTestChain, sampleWorld, soon, WORLDS } from './opened-chain.ts'

const later = { checkpoint: 6_000, checkpointAt: NOW - 200 }
const ika = (changes?: Parameters<typeof sampleNetwork>[0]) =>
  changes ? WORLDS.ika(sampleNetwork(changes)) : sampleWorld('ika')

describe('agreement', () => {
  test('with one endpoint there is nothing to compare', async () => {
    await using opened = await openTestChain('ika')
    assert.deepEqual(await opened.chain.agreement(soon()), { kind: 'single' })
  })

  test('endpoints agree though one is a few checkpoints and transactions behind', async () => {
    const network = sampleNetwork()
    const validators = network.validators.map((validator) => ({
      ...validator,
      balance: validator.balance + 5n,
    }))
    await using opened = await openTestChain('ika', [WORLDS.ika({ ...network, validators }), ika(later)])
    assert.deepEqual(await opened.chain.agreement(soon()), { kind: 'agreed', epoch: EPOCH })
  })

  const network = sampleNetwork()
  const differences = {
    'the epoch': ika({ epoch: EPOCH + 1 }),
    'the called package': ika({ packageId: VALIDATORS.steady }),
    'the validator set': ika({ validators: network.validators.slice(0, -1) }),
    'a commission': ika({
      validators: network.validators.map((validator) => ({ ...validator, commissionBps: 1 })),
    }),
  }
  for (const [name, world] of Object.entries(differences)) {
    test(`${name} differs: they do not agree`, async () => {
      await using opened = await openTestChain('ika', [ika(), world])
      assert.deepEqual(await opened.chain.agreement(soon()), { kind: 'disagreed' })
    })
  }

  test('one of two dead: it is not known whether they agree', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const [first] = opened.nodes
    if (first) first.plan = () => ({ kind: 'reset' })
    assert.deepEqual(await opened.chain.agreement(soon()), { kind: 'unknown' })
  })

  test('callers of the same moment share one look, later ones look again', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    await Promise.all(Array.from({ length: 10 }, () => opened.chain.agreement(soon())))
    const once = opened.nodes[0]?.calls.length ?? 0
    assert.ok(once < 20, `${once} calls`)
    opened.now += 10_000
    await opened.chain.agreement(soon())
    assert.ok((opened.nodes[0]?.calls.length ?? 0) > once)
  })

  test('a caller whose time is over does not wait', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    await assert.rejects(opened.chain.agreement(AbortSignal.abort()), { code: 'rpc_unavailable' })
  })
})
