import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import { Fault, wrongField } from '../../../fault.ts'
import { smaller } from '../../amount.ts'
import { compare } from '../../compare.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { hasTwoSteps } from '../epoch-rules.ts'
import { checkPositions } from './check-positions.ts'
import { assumedToken, type HeldToken, type Position } from './held-token.ts'

/** The holdings to plan for: a list of tokens, or all tokens of an address. */
export type HeldRequest =
  | { readonly kind: 'positions'; readonly positions: readonly Position[]; readonly field: string }
  | { readonly kind: 'owner'; readonly owner: string }

export type HeldTokens = {
  readonly tokens: readonly HeldToken[]
  /** Assumptions about tokens that could not be read from the chain. */
  readonly assumptions: readonly string[]
}

/** The largest number of tokens in one plan. */
const MAX_TOKENS = 500

/** The caller's staked tokens, with rewards and state from the chain. */
export function readHeldTokens({ chain }: { readonly chain: StakingChain }) {
  return async (request: HeldRequest, view: NetworkView, deadline: AbortSignal): Promise<HeldTokens> => {
    if (request.kind === 'owner') {
      const owned = await chain.stakedTokensOf(request.owner, deadline)
      const free = withoutBoundTokens(checkedCount(owned).toSorted(byTokenId), view)
      const listed = withoutUnlistedTokens(free.tokens.map(toHeld), view)
      return { tokens: listed.tokens, assumptions: [...free.assumptions, ...listed.assumptions] }
    }
    checkPositions(request.positions, (id) => stakeWith(view, id), request.field)
    return completePositions(request.positions, await lookUp(chain, request.positions, deadline), view)
  }
}

/**
 * An upper bound of the principal with a validator: the larger of its stake now and in the next epoch, plus stake
 * being withdrawn.
 */
function stakeWith({ byId }: NetworkView, id: string): bigint | undefined {
  const validator = byId.get(id)?.validator
  if (!validator) return undefined
  const { stake, nextStake, withdrawingStake, claimableStake = 0n } = validator
  return stake + nextStake - smaller(stake, nextStake) + withdrawingStake + claimableStake
}

type LookUp =
  | { readonly kind: 'read'; readonly tokens: ReadonlyMap<string, StakedToken> }
  | { readonly kind: 'unreachable' }

async function lookUp(
  chain: StakingChain,
  positions: readonly Position[],
  deadline: AbortSignal,
): Promise<LookUp> {
  const ids = positions.map(({ stakedTokenId }) => stakedTokenId)
  try {
    const tokens = await chain.stakedTokens(ids, deadline)
    return { kind: 'read', tokens: new Map(tokens.map((token) => [token.id, token])) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'rpc_unavailable') return { kind: 'unreachable' }
    throw error
  }
}

/** Figures of the chain take precedence over the caller's. */
function completePositions(positions: readonly Position[], found: LookUp, view: NetworkView): HeldTokens {
  if (found.kind === 'unreachable') {
    return {
      tokens: positions.map(assumedToken),
      assumptions: ['The chain could not be asked: every token is taken as active, without accrued rewards.'],
    }
  }
  const assumptions: string[] = []
  const tokens = positions.flatMap((position) => {
    const { stakedTokenId, principal, validatorId } = position
    const token = found.tokens.get(stakedTokenId)
    if (!token) {
      assumptions.push(
        `${stakedTokenId} is not on the chain: it is taken as active, without accrued rewards, as you describe it.`,
      )
      return assumedToken(position)
    }
    if (token.principal !== principal || token.validatorId !== validatorId) {
      assumptions.push(
        `${stakedTokenId} has a principal of ${token.principal} with ${token.validatorId} on the chain: the plan uses these.`,
      )
    }
    const free = withoutBoundTokens([token], view)
    assumptions.push(...free.assumptions)
    return free.tokens.map(toHeld)
  })
  return { tokens, assumptions }
}

/**
 * Leaves out tokens that are bound: their validator has not joined yet, and until then the chain pays nothing out.
 */
function withoutBoundTokens(tokens: readonly StakedToken[], { snapshot }: NetworkView) {
  const isBound = ({ boundUntil = 0 }: StakedToken): boolean => boundUntil > snapshot.epoch.number
  return {
    tokens: tokens.filter((token) => !isBound(token)),
    assumptions: tokens
      .filter(isBound)
      .map(
        ({ id, boundUntil }) =>
          `${id} is left out: its validator joins in epoch ${boundUntil}, and the chain pays nothing out before. Ask again then.`,
      ),
  }
}

/**
 * If withdrawing has two steps, no transaction can be built for a token whose validator the snapshot does not list
 * yet. Sui has one step and lists only its committee, so its tokens are all kept.
 */
function withoutUnlistedTokens(tokens: readonly HeldToken[], { snapshot, byId }: NetworkView): HeldTokens {
  if (!hasTwoSteps(snapshot.network)) return { tokens, assumptions: [] }
  const [listed, unlisted] = [true, false].map((wanted) =>
    tokens.filter(({ validatorId }) => byId.has(validatorId) === wanted),
  )
  return {
    tokens: listed ?? [],
    assumptions: (unlisted ?? []).map(
      ({ stakedTokenId }) =>
        `${stakedTokenId} is left out: its validator is not in the chain data yet. Ask again shortly.`,
    ),
  }
}

function checkedCount(tokens: readonly StakedToken[]): readonly StakedToken[] {
  if (tokens.length <= MAX_TOKENS) return tokens
  throw wrongField('owner', `holds ${tokens.length} staked tokens, more than the ${MAX_TOKENS} of one plan`, {
    instead: 'name some of them in `positions`',
  })
}

/** A fixed order, so that the plan of an owner does not depend on the order in which a node lists the tokens. */
const byTokenId = (a: StakedToken, b: StakedToken): number => compare(a.id, b.id)

const toHeld = ({ id, owner: _, ...token }: StakedToken): HeldToken => ({ ...token, stakedTokenId: id })
