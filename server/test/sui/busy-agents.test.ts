import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import type { FakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { sampleNetwork } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'
import { openChainApp } from '../support/chain-app.ts'
import { WORLDS } from './opened-chain.ts'

/** Calls that a node allows per window: a refresh (6, 6 and 2 calls every 5 s) fits only if calls are reserved for it. */
const ALLOWED = { ika: 100, walrus: 100, sui: 25 } as const
/** Lower bound of the reads by agents that must succeed in the three windows of the test. */
const LEAST_READ = { ika: 9, walrus: 9, sui: 3 } as const
const WINDOW_MS = 30_000
const STEP_MS = 5_000

/** Limits a node as public ones are: `allowed` calls in any 30 s; more are refused with a Retry-After of 30 s. */
function limitCalls(node: FakeFullNode, allowed: number, now: () => number) {
  const times: number[] = []
  let refused = 0
  node.plan = () => {
    times.push(now())
    if (times.filter((at) => at > now() - WINDOW_MS).length <= allowed) return undefined
    refused += 1
    return { kind: 'http-status', status: 429, headers: { 'retry-after': '30' } }
  }
  return { refused: () => refused }
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`${network}: reads by agents never use up the calls that the refresh of the data needs`, async () => {
    const sample = sampleNetwork()
    const [token] = sample.tokens
    assert(token)
    const owners = Array.from({ length: 8 }, (_, index) => idOf(0x0b00 + index))
    const tokens = owners.map((owner, index) => ({ ...token, id: idOf(0x70c0 + index), owner }))
    const worldAt = (now: number, checkpoint: number) =>
      WORLDS[network]({ ...sample, tokens, checkpoint, checkpointAt: now })
    await using app = await openChainApp(network, [WORLDS[network]({ ...sample, tokens })], {
      SUI_RPC_CALLS: String(ALLOWED[network]),
    })
    const [node] = app.nodes
    assert(node)
    app.clock.advance(WINDOW_MS)
    const limited = limitCalls(node, ALLOWED[network], app.clock.now)
    const outcomes = { read: 0, refused: 0 }
    for (let step = 0; step < 18; step += 1) {
      node.world = worldAt(app.clock.now(), 6_000 + step)
      const reads = await Promise.allSettled(owners.map((owner) => app.agent.positions({ owner })))
      for (const read of reads) {
        if (read.status === 'fulfilled') {
          assert.equal(read.value.positions.length, 1)
          outcomes.read += 1
          continue
        }
        const { reason } = read
        assert(reason instanceof StakewrightError, String(reason))
        assert.deepEqual([reason.status, reason.code, reason.retryable], [503, 'rpc_unavailable', true])
        assert.match(reason.message, /used up/)
        const seconds = reason.retryAfterSeconds ?? 0
        assert(seconds >= 1 && seconds <= WINDOW_MS / 1_000, `${seconds} s`)
        outcomes.refused += 1
      }
      await app.runJob('watch-network')
      assert.equal((await app.client().epoch()).dataAgeSeconds, 0, `after ${step} refreshes`)
      app.clock.advance(STEP_MS)
    }
    assert.equal(limited.refused(), 0)
    assert(outcomes.read >= LEAST_READ[network] && outcomes.refused > 0, JSON.stringify(outcomes))
  })
}
