import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge } from '#domain/network/agreement.ts'
import { EPOCH, NOW, sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { openTestChain, sampleWorld, soon, type TestChain, WORLDS } from './opened-chain.ts'

const later = { checkpoint: 6_000, checkpointAt: NOW - 200 }
const ika = (changes?: Parameters<typeof sampleNetwork>[0]) =>
  changes ? WORLDS.ika(sampleNetwork(changes)) : sampleWorld('ika')

/** The verdict of all nodes on the snapshot that was read from one of them. */
async function agreementIn({ chain }: TestChain) {
  const served = await chain.readSnapshot(soon())
  return judge(served, await chain.witnesses.ask(soon()), chain.witnesses.count)
}

describe('witnesses', () => {
  test('a single endpoint agrees with what was read from it', async () => {
    await using opened = await openTestChain('ika')
    assert.equal(await agreementIn(opened), 'agreed')
  })

  test('a single endpoint that has moved on no longer agrees with what was read before', async () => {
    await using opened = await openTestChain('ika')
    const served = await opened.chain.readSnapshot(soon())
    for (const node of opened.nodes) node.world = ika({ ...later, epoch: EPOCH + 1 })
    assert.equal(judge(served, await opened.chain.witnesses.ask(soon()), 1), 'outdated')
  })

  test('endpoints agree if one is only a few checkpoints and transactions behind', async () => {
    const network = sampleNetwork()
    const validators = network.validators.map((validator) => ({
      ...validator,
      balance: validator.balance + 5n,
    }))
    await using opened = await openTestChain('ika', [WORLDS.ika({ ...network, validators }), ika(later)])
    const served = await opened.chain.readSnapshot(soon())
    const said = await opened.chain.witnesses.ask(soon())
    assert.equal(judge(served, said, 2), 'agreed')
  })

  const network = sampleNetwork()
  const differences = {
    'the epoch': ika({ epoch: EPOCH + 1 }),
    'whether the next committee is selected': ika({ nextCommitteeSelected: true }),
    'the called package': ika({ packageId: VALIDATORS.steady }),
    'the validator set': ika({ validators: network.validators.slice(0, -1) }),
    'a commission': ika({
      validators: network.validators.map((validator) => ({ ...validator, commissionBps: 1 })),
    }),
  }
  for (const [name, world] of Object.entries(differences)) {
    test(`${name} differs: they do not agree`, async () => {
      await using opened = await openTestChain('ika', [ika(), world])
      assert.equal(await agreementIn(opened), 'disagreed')
    })
  }

  test('the agreement is unknown if one of two endpoints is down', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const [first] = opened.nodes
    if (first) first.plan = () => ({ kind: 'reset' })
    assert.equal(await agreementIn(opened), 'unknown')
  })

  test('two addresses of one host are one witness', async () => {
    let first: string | undefined
    const configure = (url: string) => {
      first ??= url
      return { url: `${first}/?key=${encodeURIComponent(url)}` }
    }
    await using opened = await openTestChain('ika', [ika(), ika()], {}, configure)
    assert.equal(await agreementIn(opened), 'agreed')
    assert.equal(opened.chain.witnesses.count, 1)
    assert.equal((await opened.chain.witnesses.ask(soon())).length, 1)
  })

  test('concurrent callers share one round of calls; later ones make another', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const { witnesses } = opened.chain
    await Promise.all(Array.from({ length: 10 }, () => witnesses.ask(soon())))
    const once = opened.nodes[0]?.calls.length ?? 0
    assert.ok(once < 20, `${once} calls`)
    opened.now += 10_000
    await witnesses.ask(soon())
    assert.ok((opened.nodes[0]?.calls.length ?? 0) > once)
  })

  test('after too few answers, only the missing host is asked again, sooner than callers are told to retry', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    const [first, second] = opened.nodes
    assert(first && second)
    first.plan = () => ({ kind: 'reset' })
    assert.equal((await opened.chain.witnesses.ask(soon())).length, 1)
    const calls = second.calls.length
    opened.now += 2_000
    assert.equal((await opened.chain.witnesses.ask(soon())).length, 1)
    first.plan = () => undefined
    opened.now += 2_900
    assert.equal((await opened.chain.witnesses.ask(soon())).length, 2)
    assert.equal(second.calls.length, calls, 'the host that has answered is asked again')
    opened.now += 5_100
    await opened.chain.witnesses.ask(soon())
    assert(second.calls.length > calls, 'its answer of ten seconds ago still counts')
  })

  test('a caller whose deadline has passed is refused at once', async () => {
    await using opened = await openTestChain('ika', [ika(), ika()])
    await assert.rejects(opened.chain.witnesses.ask(AbortSignal.abort()), { code: 'rpc_unavailable' })
  })
})
