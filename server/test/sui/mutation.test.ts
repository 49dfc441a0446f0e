import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Fetch } from '#adapters/sui/connection/bounded-fetch.ts'
import type { SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { openSuiChain } from '#adapters/sui/open-sui-chain.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { NOW, sampleNetwork } from '../fake-full-node/sample-network.ts'
import { runs } from '../support/repetitions.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { soon, WORLDS } from './opened-chain.ts'

type Recorded = { readonly request: string; readonly body: Buffer; readonly headers: Headers }
type Mutation = {
  readonly answer: number
  readonly kind: string
  readonly at: number
  readonly value: number
}

/** Runs per network; with `PROPERTY_RUNS=34 npm test -- sui/mutation`, ten thousand. */
const RUNS = runs(300).numRuns

function openWith(network: SuiNetworkName, url: string, fetch: Fetch) {
  const limits = { retries: 0, callMs: 20_000, totalMs: 60_000 }
  return openSuiChain({
    network,
    nodes: [{ url }],
    clock: { now: () => NOW },
    random: () => 0,
    logger: silentLogger,
    fetch,
    limits,
  })
}

const keyOf = (input: Parameters<Fetch>[0], body: unknown): string =>
  `${String(input).replace(/^.*\/\/[^/]*/, '')} ${body instanceof Uint8Array ? Buffer.from(body).toString('hex') : ''}`

/** The raw answers of one read of a snapshot. */
async function recordAnswers(network: SuiNetworkName): Promise<readonly Recorded[]> {
  await using node = await startFakeFullNode(WORLDS[network](sampleNetwork({ nextCommitteeSelected: true })))
  const recorded: Recorded[] = []
  await using chain = openWith(network, node.url, async (input, init) => {
    const response = await fetch(input, init)
    const body = Buffer.from(await response.arrayBuffer())
    recorded.push({ request: keyOf(input, init?.body), body, headers: response.headers })
    return new Response(body, { headers: response.headers })
  })
  await chain.readSnapshot(soon())
  return recorded
}

function replay(recorded: readonly Recorded[], { answer, kind, at, value }: Mutation): Fetch {
  const damaged = recorded[answer % recorded.length]
  return async (input, init) => {
    const request = keyOf(input, init?.body)
    const found = recorded.find((one) => one.request === request)
    if (found === undefined) return new Response(null, { status: 404 })
    const body = found === damaged ? mutate(found.body, kind, at, value) : found.body
    return new Response(new Uint8Array(body), { headers: found.headers })
  }
}

function mutate(body: Buffer, kind: string, at: number, value: number): Buffer {
  const position = at % body.length
  const [before, after] = [body.subarray(0, position), body.subarray(position)]
  const changed = Buffer.from(body)
  switch (kind) {
    case 'alter':
      changed.writeUInt8(value, position)
      return changed
    case 'flip':
      changed.writeUInt8(changed.readUInt8(position) ^ (1 << (value % 8)), position)
      return changed
    case 'drop':
      return withLength(Buffer.concat([before, after.subarray(1 + (value % 8))]))
    case 'insert':
      return withLength(Buffer.concat([before, Buffer.alloc(1 + (value % 8), value), after]))
    case 'swap':
      return withLength(Buffer.concat([body.subarray(0, 5), after, before.subarray(5)]))
    default:
      return before
  }
}

/** Writes the new length into the frame, so that the damage reaches the decoder of the message. */
function withLength(body: Buffer): Buffer {
  const trailer = body.lastIndexOf('grpc-status') - 5
  if (trailer > 5) body.writeUInt32BE(trailer - 5, 1)
  return body
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  answer: fc.nat(),
  kind: fc.constantFrom('alter', 'flip', 'drop', 'insert', 'swap', 'truncate'),
  at: fc.nat(),
  value: fc.nat(255),
})

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`${network}: each read with a damaged answer is refused, or returns a possible snapshot`, async () => {
    const recorded = await recordAnswers(network)
    const outcomes = { refused: 0, possible: 0 }
    await fc.assert(
      fc.asyncProperty(mutation, async (damage) => {
        await using chain = openWith(network, 'http://replayed.example', replay(recorded, damage))
        await chain.readSnapshot(soon()).then(
          (snapshot) => {
            checkPossible(snapshot)
            outcomes.possible += 1
          },
          (fault) => {
            assert.equal(fault.code, 'rpc_unavailable')
            outcomes.refused += 1
          },
        )
      }),
      { numRuns: RUNS },
    )
    const counts = JSON.stringify(outcomes)
    assert.ok(outcomes.refused > RUNS / 10 && outcomes.possible > RUNS / 20, counts)
  })
}

/** Checks what the layouts guarantee. Wrong but possible values are left to the plausibility rules of the domain. */
function checkPossible({
  epoch,
  validators,
  checkpoint,
  checkpointAt,
  system,
  rewards,
}: ChainSnapshot): void {
  for (const number of [epoch.number, epoch.startedAt, epoch.durationMs, checkpoint, checkpointAt]) {
    assert.ok(Number.isSafeInteger(number) && number >= 0)
  }
  assert.ok(epoch.durationMs > 0 && validators.length > 0 && rewards.perEpoch >= 0n)
  assert.equal(new Set(validators.map(({ id }) => id)).size, validators.length)
  assert.match(system.packageId, /^0x[0-9a-f]+$/)
  for (const validator of validators) {
    assert.match(validator.id, /^0x[0-9a-f]{64}$/)
    assert.ok(validator.commissionBps <= 10_000 && validator.nextCommissionBps <= 10_000)
    assert.ok(validator.stake >= 0n && validator.nextStake >= 0n && validator.withdrawingStake >= 0n)
  }
}
