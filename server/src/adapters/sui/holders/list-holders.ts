import { MAX_U64 } from '../../../basics/u64.ts'
import type { TokenObject } from '../chain-reader.ts'
import { check } from '../layouts/decode.ts'
import type { HolderPage, HolderSource, OwnedObject } from './graphql-source.ts'
import { SourceFailure } from './graphql-source.ts'

/** Two pages a second at most: the public service allows 100 requests in 30 seconds. */
const GAP_MS = 500
const TRIES = 5
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000

export type Holding = { readonly staked: bigint; readonly tokens: number }

/** The holders of staked tokens, by pool. */
export type Listing = {
  /** The chain's time of the first page. */
  readonly at: number
  /** False if the limit of objects was reached, or the source repeats a cursor. */
  readonly isComplete: boolean
  readonly byPool: ReadonlyMap<string, ReadonlyMap<string, Holding>>
  /** Tokens whose withdrawal was requested. */
  readonly withdrawing: readonly TokenObject[]
}

export type ListNeeds = {
  readonly source: HolderSource
  readonly toToken: (object: OwnedObject) => TokenObject
  readonly maxObjects: number
  /** Rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Reads page after page, with pauses and with retries after the source's `Retry-After`. The pages have different
 * checkpoints, so a token may be on two of them: the first one counts. A repeated cursor or an empty page ends the
 * list.
 */
export async function listHolders(needs: ListNeeds, signal: AbortSignal): Promise<Listing> {
  const { toToken, maxObjects, pause } = needs
  const byPool = new Map<string, Map<string, Holding>>()
  const withdrawing: TokenObject[] = []
  const [seen, cursors] = [new Set<string>(), new Set<string>()]
  let [size, at, next]: [number, number | undefined, string | undefined] = [0, undefined, undefined]
  while (true) {
    const page = await readWithRetries(needs, next, signal)
    at ??= page.at
    for (const token of page.objects.map(toToken)) {
      if (seen.has(token.id)) continue
      seen.add(token.id)
      addTo(byPool, token)
      if (token.withdrawEpoch !== undefined) withdrawing.push(token)
    }
    size += page.size
    const isLast = page.next === undefined || cursors.has(page.next) || page.size === 0
    if (isLast || size >= maxObjects) return { at, isComplete: page.next === undefined, byPool, withdrawing }
    next = page.next
    cursors.add(next)
    await pause(GAP_MS, signal)
  }
}

function addTo(byPool: Map<string, Map<string, Holding>>, { poolId, owner, principal }: TokenObject): void {
  const pool = byPool.get(poolId) ?? new Map<string, Holding>()
  const { staked, tokens } = pool.get(owner) ?? { staked: 0n, tokens: 0 }
  check(staked + principal <= MAX_U64, 'the sum of the stakes of an address exceeds 64 bits')
  pool.set(owner, { staked: staked + principal, tokens: tokens + 1 })
  byPool.set(poolId, pool)
}

async function readWithRetries(
  { source, pause }: ListNeeds,
  after: string | undefined,
  signal: AbortSignal,
): Promise<HolderPage> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await source.readPage(after, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (tries === TRIES) throw error
      const asked = error instanceof SourceFailure ? error.retryAfterMs : undefined
      await pause(Math.min(asked ?? FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS), signal)
    }
  }
}
