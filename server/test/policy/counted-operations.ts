import { Session } from 'node:inspector/promises'
import type { PolicyRule } from '#ports/stores/policies.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import type { Facts, Wish } from '../../src/domain/policy/wish.ts'

/**
 * Prints the number of operations of the domain that the checks of one build take beside open batches. An
 * operation is one run of a block of code, as V8 counts them for coverage, so the number is the same on a busy machine.
 * Blocks of functions that were compiled before the count begins are not counted, hence the dynamic imports; nor are
 * those of optimised code, so this program is started with `--no-opt` and `--no-maglev`.
 */

export type CountedOperations = {
  /** What is checked. */
  readonly name: string
  /** The items of all open batches. */
  readonly items: number
  readonly operations: number
}

const ITEMS = 50
const NOW = Date.UTC(2026, 0, 1)
const SENDER = '0x1'
const VALIDATORS = Array.from({ length: 100 }, (_, at) => `v${at}`)
const TOKENS = VALIDATORS.slice(0, 60).map((validatorId, at) => ({
  id: `t${at}`,
  owner: SENDER,
  validatorId,
  principal: 2_000n,
  activationEpoch: 1,
  withdrawEpoch: undefined,
  rewards: 0n,
  shares: undefined,
}))

const stakes = (from: number): readonly ReservedItem[] =>
  Array.from({ length: ITEMS }, (_, at) => ({
    action: 'stake',
    validatorId: VALIDATORS[(from * 7 + at) % VALIDATORS.length] ?? '',
    amount: 1_000n,
    token: undefined,
    alike: 0,
    knownIds: [],
  }))

const unstakes: readonly ReservedItem[] = TOKENS.slice(0, ITEMS).map(({ id, validatorId, principal }) => ({
  action: 'unstake',
  validatorId,
  amount: principal,
  token: { id, principal },
  alike: undefined,
}))

const builtOf = (count: number): readonly Reservation[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    intentId: `i${at}`,
    at: NOW - count + at,
    expiresAt: NOW + 600_000 + at,
    epoch: 1,
    sender: SENDER,
    // Every second one takes the same whole tokens, of which the chain executes one.
    items: at % 2 === 0 ? stakes(at) : unstakes,
    isSeen: false,
  }))

const wishOf = (items: readonly ReservedItem[]): Wish => ({
  network: 'sandbox',
  sender: SENDER,
  items: items.map((item) => ({ ...item, leavesStake: item.token !== undefined })),
  isBatch: true,
})

const factsOf = (built: readonly Reservation[]): Facts => ({
  now: NOW,
  validator: () => undefined,
  tokens: TOKENS,
  epoch: { number: 1, endsAt: NOW },
  built,
  used: () => ({ stake: 0n, unstake: 0n, withdraw: 0n, join: 0n }),
  roomAt: () => undefined,
})

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { brokenRules } = await import('../../src/domain/policy/check-policy.ts')
const { recognitionOf } = await import('../../src/domain/policy/unseen-builds.ts')

async function operationsOf(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.includes('/src/domain/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0)
}

const ALLOW: PolicyRule = { rule: 'actions', allow: ['stake', 'unstake'] }
const KEPT: readonly PolicyRule[] = [
  ALLOW,
  { rule: 'maxShare', share: 0.99 },
  { rule: 'minValidators', validators: 2 },
]
const BROKEN: readonly PolicyRule[] = [
  ALLOW,
  { rule: 'maxShare', share: 0.012 },
  { rule: 'minValidators', validators: 99 },
]
const partlyTaken = unstakes.map((item) => ({ ...item, amount: item.amount / 2n }))

const WORKS: Readonly<Record<string, (built: readonly Reservation[]) => unknown>> = {
  'stakes that are allowed': (built) => brokenRules(KEPT, wishOf(stakes(3)), factsOf(built)),
  'stakes that are refused': (built) => brokenRules(BROKEN, wishOf(stakes(3)), factsOf(built)),
  'unstakes that are refused': (built) => brokenRules(BROKEN, wishOf(unstakes), factsOf(built)),
  'unstakes of tokens in use': (built) => brokenRules(KEPT, wishOf(partlyTaken), factsOf(built)),
  'what recognises the stakes': (built) =>
    stakes(3).map(recognitionOf({ sender: SENDER, epoch: 1, built, tokens: TOKENS, now: NOW })),
}

const lines: CountedOperations[] = []
for (const [name, work] of Object.entries(WORKS))
  for (const batches of [40, 80, 160]) {
    const built = builtOf(batches)
    lines.push({ name, items: batches * ITEMS, operations: await operationsOf(() => work(built)) })
  }
process.stdout.write(JSON.stringify(lines))
session.disconnect()
