import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { NO_HISTORY } from '#domain/network/history.ts'
import { viewNetwork } from '#domain/network/network-view.ts'
import { findProblem, findProblemOfRecords } from '#domain/network/plausibility.ts'
import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { YEAR_MS } from '../../src/durations.ts'
import { sampleNetwork } from '../fake-full-node/sample-network.ts'
import { EPOCH_MS, openTestChain as openSandbox } from '../sandbox/test-chain.ts'
import { openTestChain, soon, WORLDS } from '../sui/opened-chain.ts'
import { runs } from '../support/repetitions.ts'

/** Snapshots of every chain, before and after the next committee is selected. */
async function recordSnapshots(): Promise<readonly ChainSnapshot[]> {
  const recorded: ChainSnapshot[] = []
  for (const nextCommitteeSelected of [false, true]) {
    for (const network of ['ika', 'walrus', 'sui'] as const) {
      await using opened = await openTestChain(network, [
        WORLDS[network](sampleNetwork({ nextCommitteeSelected })),
      ])
      recorded.push(await opened.chain.readSnapshot(soon()))
    }
    const sandbox = await openSandbox()
    if (nextCommitteeSelected) sandbox.passMiddle()
    recorded.push(await sandbox.snapshot())
  }
  return recorded
}
const RECORDED = await recordSnapshots()

const nowOf = ({ checkpointAt }: ChainSnapshot) => checkpointAt + 1_000
const problemAfter = (previous: ChainSnapshot, next: ChainSnapshot) =>
  findProblem(next, { network: previous.network, previous, now: nowOf(previous) })
const problemAtFirst = (known: ChainSnapshot, next: ChainSnapshot) =>
  findProblem(next, { network: known.network, previous: undefined, now: nowOf(known) })

type Path = readonly (string | number)[]
type Leaf = { readonly path: Path; readonly value: unknown }

function leavesOf(value: unknown, path: Path = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** A copy with the value at `path` replaced. The casts hold because the shape stays the same. */
function withLeaf<T>(whole: T, [key, ...rest]: Path, value: unknown): T {
  if (key === undefined) return value as T
  if (Array.isArray(whole)) return whole.with(Number(key), withLeaf(whole[Number(key)], rest, value)) as T
  return { ...whole, [key]: withLeaf((whole as Record<string, unknown>)[key], rest, value) }
}

/** Values that no field of this type may have, on any chain. */
const IMPOSSIBLE: Record<string, readonly unknown[]> = {
  number: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 1.5, 2 ** 53, 1e308],
  bigint: [-1n, 2n ** 64n, 2n ** 200n],
  string: ['\u0000', 'two words\n', 'x'.repeat(10_000)],
}

test('a recorded snapshot is accepted, as the first one and after itself', () => {
  for (const snapshot of RECORDED) {
    assert.equal(problemAtFirst(snapshot, snapshot), undefined)
    assert.equal(problemAfter(snapshot, snapshot), undefined)
  }
})

test('an impossible value is refused in every field', () => {
  let tried = 0
  for (const snapshot of RECORDED) {
    // The first validators stand for the rest: all have the same fields.
    const few = { ...snapshot, validators: snapshot.validators.slice(0, 4) }
    for (const { path, value } of leavesOf(few)) {
      for (const impossible of IMPOSSIBLE[typeof value] ?? []) {
        const changed = withLeaf(few, path, impossible)
        assert.ok(problemAtFirst(few, changed), `${path.join('.')} = ${String(impossible).slice(0, 20)}`)
        tried += 1
      }
    }
  }
  assert.ok(tried > 1_500, `${tried} were tried`)
})

const later = (snapshot: ChainSnapshot, changes: Partial<ChainSnapshot> = {}): ChainSnapshot => ({
  ...snapshot,
  checkpoint: snapshot.checkpoint + 1,
  ...changes,
})
const withEpoch = (snapshot: ChainSnapshot, changes: Partial<ChainSnapshot['epoch']>) =>
  later(snapshot, { epoch: { ...snapshot.epoch, ...changes } })

const LIES: Record<string, (snapshot: ChainSnapshot) => ChainSnapshot> = {
  'another network': (s) => later(s, { network: s.network === 'ika' ? 'sui' : 'ika' }),
  'another chain': (s) => later(s, { chainId: 'another' }),
  'an older checkpoint': (s) => ({ ...s, checkpoint: s.checkpoint - 1 }),
  'an older time': (s) => later(s, { checkpointAt: s.checkpointAt - 1 }),
  'a checkpoint of tomorrow': (s) => later(s, { checkpointAt: s.checkpointAt + 86_400_000 }),
  'an older epoch': (s) => withEpoch(s, { number: s.epoch.number - 1 }),
  'an epoch of next year': (s) => withEpoch(s, { startedAt: s.epoch.startedAt + YEAR_MS }),
  'an epoch of years ago': (s) => withEpoch(s, { startedAt: s.epoch.startedAt - 2 * YEAR_MS }),
  'no validators': (s) => later(s, { validators: [] }),
  'no active validator': (s) =>
    later(s, { validators: s.validators.filter(({ status }) => status !== 'active') }),
  'a validator twice': (s) => later(s, { validators: [...s.validators, ...s.validators.slice(0, 1)] }),
  'a flag that its validators contradict': (s) =>
    withEpoch(s, { nextCommitteeSelected: !s.epoch.nextCommitteeSelected }),
  'five times the stake': (s) => later(s, { validators: s.validators.map((v) => grown(v, 5n)) }),
  'a fifth of the stake': (s) =>
    later(s, {
      validators: s.validators.map((v) => ({
        ...grown(v, 0n),
        stake: v.stake / 5n,
        nextStake: v.stake / 5n,
      })),
    }),
  'stakes that do not add up': (s) =>
    later(s, { validators: s.validators.map((v) => ({ ...v, nextStake: v.nextStake + 1n })) }),
  'another object under the same id': (s) =>
    later(s, { system: { ...s.system, initialSharedVersion: '77' } }),
}

function grown(validator: ChainSnapshot['validators'][number], factor: bigint) {
  const stake = validator.stake * factor
  return { ...validator, stake, nextStake: stake, pendingStake: 0n, withdrawingStake: 0n }
}

for (const [name, lie] of Object.entries(LIES)) {
  test(`${name} is refused`, () => {
    for (const snapshot of RECORDED) assert.ok(problemAfter(snapshot, lie(snapshot)), snapshot.network)
  })
}

test('an epoch that begins before the previous one can have ended is refused on real chains, not in the sandbox', () => {
  for (const snapshot of RECORDED) {
    const { number, startedAt, durationMs } = snapshot.epoch
    const begins = startedAt + durationMs
    const next = withEpoch(snapshot, { number: number + 1, startedAt: begins })
    const problemAt = (checkpointAt: number) =>
      findProblem({ ...next, checkpointAt }, { network: snapshot.network, previous: snapshot, now: begins })
    assert.equal(problemAt(begins), undefined)
    const tooSoon = problemAt(begins - durationMs / 4)
    assert.equal(tooSoon, snapshot.network === 'sandbox' ? undefined : 'its epoch is implausibly early')
  }
})

test('stake that grows in several snapshots of one epoch has the same limit as growth in one snapshot', () => {
  for (const snapshot of RECORDED) {
    const [first, second] = [19n, 36n].map((tenths) => ({
      ...later(snapshot),
      validators: snapshot.validators.map((v) => grown({ ...v, stake: v.stake / 10n }, tenths)),
    }))
    assert(first && second)
    assert.equal(problemAfter(snapshot, first), undefined)
    const view = viewNetwork(first, NO_HISTORY, DIGEST, viewNetwork(snapshot, NO_HISTORY, DIGEST))
    const known = { network: first.network, previous: first, now: nowOf(first) }
    assert.equal(findProblem(second, known), undefined)
    const problem = findProblem(second, { ...known, stakeOfEpoch: view.stakeOfEpoch })
    assert.equal(problem, 'its total stake has grown implausibly')
  }
})

test('a current snapshot replaces one dated in the future, however many epochs older it is and whatever its stakes', () => {
  for (const right of RECORDED) {
    for (const ahead of [0, 1, 2, 3, 100]) {
      const { epoch } = right
      const wrong = later(right, {
        checkpoint: right.checkpoint + 1_000,
        checkpointAt: right.checkpointAt + Math.max(1, ahead) * epoch.durationMs,
        epoch: { ...epoch, number: epoch.number + ahead },
        validators: right.validators.map((v) => grown(v, 9n)),
      })
      const problemAt = (next: ChainSnapshot, now: number) =>
        findProblem(next, { network: right.network, previous: wrong, now })
      assert.equal(problemAt(right, nowOf(right)), undefined, `${right.network}, ${ahead} epochs`)
      assert.ok(problemAt(right, wrong.checkpointAt), 'a snapshot not dated in the future keeps its place')
      assert.ok(problemAt({ ...right, chainId: 'another' }, nowOf(right)))
      const late = right.checkpointAt + 660_000
      if (wrong.checkpointAt > late + 60_000)
        assert.equal(problemAt(right, late), 'its checkpoint is over 10 minutes old')
    }
  }
})

test('a first snapshot whose checkpoint no chain can have reached is refused', () => {
  for (const snapshot of RECORDED.filter(({ network }) => network !== 'sandbox')) {
    const problem = problemAtFirst(snapshot, { ...snapshot, checkpoint: 2 ** 52 })
    assert.equal(problem, 'its checkpoint is too high for its time')
  }
})

test('on real chains, 2,000 checkpoints within a second are refused, and within a minute accepted', () => {
  for (const snapshot of RECORDED.filter(({ network }) => network !== 'sandbox')) {
    const jumped = later(snapshot, { checkpoint: snapshot.checkpoint + 2_000 })
    assert.equal(problemAfter(snapshot, jumped), 'its checkpoint is implausibly early')
    const minuteLater = snapshot.checkpointAt + 60_000
    const known = { network: snapshot.network, previous: snapshot, now: minuteLater }
    assert.equal(findProblem({ ...jumped, checkpointAt: minuteLater }, known), undefined)
  }
})

test('while Walrus changes its epoch, the start of the new epoch may differ at every checkpoint', () => {
  for (const snapshot of RECORDED.filter(({ network }) => network === 'walrus')) {
    const begins = snapshot.epoch.startedAt + snapshot.epoch.durationMs
    let present = { ...snapshot, checkpointAt: begins }
    for (let step = 1; step < 20; step += 1) {
      const checkpointAt = begins + step * 40
      const epoch = { ...snapshot.epoch, number: snapshot.epoch.number + 1, startedAt: checkpointAt }
      const next = later(present, { checkpointAt, epoch })
      assert.equal(problemAfter(present, next), undefined)
      present = next
    }
    const settled = later(present, { epoch: { ...present.epoch, startedAt: begins + 100 } })
    assert.equal(problemAfter(present, settled), undefined)
  }
})

const DIGEST = (text: string) => hash('sha256', text, 'hex')

/** Independent second statement of the rules: must hold for every snapshot that is accepted. */
function isServable(previous: ChainSnapshot, next: ChainSnapshot): boolean {
  const amounts = leavesOf(next).flatMap(({ value }) => (typeof value === 'bigint' ? [value] : []))
  const numbers = leavesOf(next).flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  return (
    amounts.every((amount) => amount >= 0n && amount < 2n ** 64n) &&
    numbers.every((number) => number >= 0 && number <= Number.MAX_SAFE_INTEGER) &&
    next.network === previous.network &&
    next.chainId === previous.chainId &&
    next.checkpoint >= previous.checkpoint &&
    next.checkpointAt >= previous.checkpointAt &&
    next.epoch.number >= previous.epoch.number &&
    next.epoch.durationMs > 0 &&
    next.validators.every((one) => one.commissionBps <= 10_000 && one.nextCommissionBps <= 10_000) &&
    new Set(next.validators.map(({ id }) => id)).size === next.validators.length &&
    next.validators.some(({ status }) => status === 'active')
  )
}

const anyOf: Record<string, fc.Arbitrary<unknown>> = {
  number: fc.oneof(
    fc.double(),
    fc.maxSafeInteger(),
    fc.nat({ max: 20_000 }),
    fc.constantFrom(...(IMPOSSIBLE['number'] ?? [])),
  ),
  bigint: fc.oneof(fc.bigInt({ min: -5n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 10n ** 14n })),
  string: fc.oneof(fc.string(), fc.constantFrom('', '0x1', RECORDED[0]?.validators[0]?.id ?? '')),
  boolean: fc.boolean(),
  undefined: fc.constantFrom(undefined, true, 5n),
}

const mutations = fc.array(
  fc.record({
    leaf: fc.nat(),
    number: anyOf['number'] ?? fc.nat(),
    bigint: anyOf['bigint'] ?? fc.nat(),
    string: anyOf['string'] ?? fc.nat(),
    boolean: fc.boolean(),
    shuffle: fc.constantFrom('keep', 'keep', 'keep', 'drop', 'repeat', 'reverse'),
  }),
  { minLength: 1, maxLength: 3 },
)

test('of ten thousand mutated snapshots no impossible one is accepted, and none makes the check throw', () => {
  const outcomes = { refused: 0, accepted: 0 }
  const small = RECORDED.map((one) => ({ ...one, validators: one.validators.slice(0, 8) }))
  const leaves = new Map(small.map((snapshot) => [snapshot, leavesOf(snapshot)]))
  fc.assert(
    fc.property(fc.constantFrom(...small), mutations, (previous, changes) => {
      const next = changes.reduce(
        (snapshot, change) => mutate(snapshot, change, leaves.get(previous) ?? []),
        later(previous),
      )
      const problem = problemAfter(previous, next)
      if (problem !== undefined) {
        outcomes.refused += 1
        return
      }
      outcomes.accepted += 1
      assert.ok(isServable(previous, next))
      assert.equal(viewNetwork(next, NO_HISTORY, DIGEST).byId.size, next.validators.length)
    }),
    runs(10_000),
  )
  assert.ok(outcomes.refused > 2_000 && outcomes.accepted > 100, JSON.stringify(outcomes))
})

type Change = typeof mutations extends fc.Arbitrary<(infer T)[]> ? T : never

function mutate(snapshot: ChainSnapshot, change: Change, leaves: readonly Leaf[]): ChainSnapshot {
  const { validators } = snapshot
  if (change.shuffle === 'drop') return { ...snapshot, validators: validators.slice(change.leaf % 3) }
  if (change.shuffle === 'repeat') return { ...snapshot, validators: [...validators, ...validators] }
  if (change.shuffle === 'reverse') return { ...snapshot, validators: validators.toReversed() }
  const leaf = leaves[change.leaf % leaves.length]
  if (leaf === undefined || Number(leaf.path[1]) >= validators.length) return snapshot
  const kind = typeof leaf.value
  if (kind !== 'number' && kind !== 'bigint' && kind !== 'string' && kind !== 'boolean') return snapshot
  return withLeaf(snapshot, leaf.path, change[kind])
}

test('records are refused that are from the future, duplicated, or have values that no pool can have', async () => {
  const { chain, snapshot } = await openSandbox()
  const present = await snapshot()
  const records = (await chain.readEpochs(present.epoch.number - 5, soon())).slice(0, 50)
  assert.equal(findProblemOfRecords(records, present), undefined)
  const [first] = records
  assert(first)
  const spoiled: readonly Partial<EpochRecord>[] = [
    { epoch: present.epoch.number },
    { epoch: -1 },
    { epoch: Number.NaN },
    { endedAt: Number.NaN },
    { endedAt: present.checkpointAt + 2 * EPOCH_MS },
    { validatorId: 'x' },
    { rate: { tokens: 0n, shares: 1n } },
    { rate: { tokens: 1n, shares: 0n } },
    { rate: { tokens: 2n ** 130n, shares: 1n } },
    { stake: -1n },
    { commissionBps: 10_001 },
    { commissionBps: Number.NaN },
  ]
  for (const change of spoiled) {
    assert.ok(
      findProblemOfRecords([...records.slice(1), { ...first, ...change }], present),
      String(Object.keys(change)),
    )
  }
  assert.match(findProblemOfRecords([...records, first], present) ?? '', /comes twice/)
})
