import type { ChainAgreement } from '#ports/chain-agreement.ts'
import type { Clock } from '#ports/clock.ts'
import type {
  ChainSnapshot,
  Command,
  StakedToken,
  StakingAction,
  StakingChain,
  Validator,
} from '#ports/staking-chain.ts'
import { Fault } from '../../fault.ts'
import { printAmount } from '../amount.ts'
import { BUILD_MAX_AGE_MS, type CurrentNetwork } from '../network/current-network.ts'
import { activationEpoch, nextRuleChange, startOfEpoch, withdrawalPath } from './epoch-rules.ts'

export type BuiltTransaction = {
  readonly action: StakingAction['kind']
  readonly commands: readonly Command[]
  readonly summary: string
  readonly requiresEpochWait: boolean
  readonly availableAtEpoch: number
  readonly availableAt: number
  readonly expiresAt: number
  readonly snapshot: ChainSnapshot
}

type Needs = {
  readonly chain: StakingChain
  readonly network: CurrentNetwork
  readonly clock: Clock
  /** Where the chain is read from several nodes: they must agree before money depends on what one of them said. */
  readonly agreement: ChainAgreement | undefined
}

/** Parameters are good for this long at most, and never past the next change of the epoch's rules. */
const LIFETIME_MS = 600_000
const LEAST_LIFETIME_MS = 60_000

export function buildTransactions({ chain, network, clock, agreement }: Needs) {
  async function readSnapshot(deadline: AbortSignal): Promise<ChainSnapshot> {
    const { snapshot } = network.read(BUILD_MAX_AGE_MS)
    const found = await agreement?.agreement(deadline)
    if (found?.kind === 'disagreed' || found?.kind === 'unknown') throw nodesDisagree()
    if (found?.kind === 'agreed' && found.epoch !== snapshot.epoch.number) throw epochIsChanging()
    return snapshot
  }

  function build(snapshot: ChainSnapshot, action: StakingAction, effect: { epoch: number; summary: string }) {
    const now = clock.now()
    const expiresAt = Math.max(now + LEAST_LIFETIME_MS, Math.min(now + LIFETIME_MS, nextRuleChange(snapshot)))
    return {
      action: action.kind,
      commands: chain.commandsFor(snapshot, action),
      summary: effect.summary,
      requiresEpochWait: effect.epoch > snapshot.epoch.number,
      availableAtEpoch: effect.epoch,
      availableAt: Math.max(startOfEpoch(snapshot, effect.epoch), snapshot.epoch.startedAt),
      expiresAt,
      snapshot,
    }
  }

  async function readToken(id: string, deadline: AbortSignal): Promise<StakedToken> {
    const token = isChainId(id) ? await chain.stakedToken(id, deadline) : undefined
    if (token) return token
    throw wrongField(
      'stakedTokenId',
      'is not the id of a staked token; GET …/agent/positions?owner= lists them',
    )
  }

  return {
    async stake(
      { validatorId, amount }: { validatorId: string; amount: bigint },
      deadline: AbortSignal,
    ): Promise<BuiltTransaction> {
      const snapshot = await readSnapshot(deadline)
      const validator = findValidator(snapshot, validatorId)
      refuseUnlessStakeable(validator)
      const { minStake } = snapshot.token
      if (amount < minStake) throw wrongField('amount', `must be at least ${minStake} (minStakeAmount)`)
      const epoch = activationEpoch(snapshot)
      const summary = `Stakes ${shown(snapshot, amount)} with ${validator.name}; it earns from epoch ${epoch} on.`
      return build(snapshot, { kind: 'stake', validatorId, amount }, { epoch, summary })
    },

    async unstake(
      { stakedTokenId, amount }: { stakedTokenId: string; amount: bigint | undefined },
      deadline: AbortSignal,
    ): Promise<BuiltTransaction> {
      const snapshot = await readSnapshot(deadline)
      const token = await readToken(stakedTokenId, deadline)
      const part = partOf(token, amount, snapshot)
      const validator = snapshot.validators.find(({ id }) => id === token.validatorId)
      const path = withdrawalPath(token, validator, snapshot)
      const what = shown(snapshot, part ?? token.principal)
      if (token.withdrawEpoch !== undefined && path.kind !== 'request') {
        throw wrongField('stakedTokenId', alreadyRequested(path, snapshot))
      }
      if (path.kind === 'withdraw now') {
        const summary = `Pays out ${what} and its rewards at once: this stake needs no waiting.`
        const action = { kind: 'withdraw', stakedTokenId, amount: part } as const
        return build(snapshot, action, { epoch: snapshot.epoch.number, summary })
      }
      const summary = `Asks for ${what} back; it earns on and can be withdrawn from epoch ${path.atEpoch} on.`
      const action = { kind: 'unstake', stakedTokenId, amount: part } as const
      return build(snapshot, action, { epoch: path.atEpoch, summary })
    },

    async withdraw(
      { stakedTokenId }: { stakedTokenId: string },
      deadline: AbortSignal,
    ): Promise<BuiltTransaction> {
      const snapshot = await readSnapshot(deadline)
      const token = await readToken(stakedTokenId, deadline)
      const validator = snapshot.validators.find(({ id }) => id === token.validatorId)
      const path = withdrawalPath(token, validator, snapshot)
      if (path.kind === 'wait') throw wrongField('stakedTokenId', tooEarly(path.atEpoch, snapshot))
      if (path.kind === 'request') {
        throw wrongField('stakedTokenId', 'is staked: ask for it back with …/agent/tx/unstake first')
      }
      const total = token.principal + token.rewards
      const summary = `Pays out about ${shown(snapshot, total)}: principal and rewards.`
      const action = { kind: 'withdraw', stakedTokenId, amount: undefined } as const
      return build(snapshot, action, { epoch: snapshot.epoch.number, summary })
    },
  }
}

const isChainId = (text: string): boolean => /^0x[0-9a-f]{64}$/.test(text)

function findValidator(snapshot: ChainSnapshot, id: string): Validator {
  const validator = snapshot.validators.find((candidate) => candidate.id === id)
  if (validator) return validator
  throw wrongField('validatorId', 'is not the id of a validator; GET /api/v1/staking/validators lists them')
}

/** The chain refuses stake for a validator that is on its way out. */
function refuseUnlessStakeable({ status }: Validator): void {
  if (status === 'leaving' || status === 'inactive') {
    throw wrongField(
      'validatorId',
      `names a validator that is ${status} and takes no stake; choose an active one`,
    )
  }
}

/** The amount to split off, or undefined for the whole token. */
function partOf(token: StakedToken, amount: bigint | undefined, { token: { minStake } }: ChainSnapshot) {
  if (amount === undefined || amount === token.principal) return undefined
  if (amount > token.principal)
    throw wrongField('amount', `must be at most the principal, ${token.principal}`)
  if (amount < minStake || token.principal - amount < minStake) {
    throw wrongField(
      'amount',
      `must leave both parts at ${minStake} or more; leave it out to unstake everything`,
    )
  }
  return amount
}

const shown = ({ token }: ChainSnapshot, amount: bigint) => printAmount(amount, token.decimals, token.symbol)

function tooEarly(epoch: number, snapshot: ChainSnapshot): string {
  const at = new Date(startOfEpoch(snapshot, epoch)).toISOString()
  return `can be withdrawn from epoch ${epoch} on, which is due at ${at}; now is epoch ${snapshot.epoch.number}`
}

function alreadyRequested(path: { kind: string; atEpoch?: number }, snapshot: ChainSnapshot): string {
  if (path.atEpoch === undefined) return 'was unstaked before and is due: use …/agent/tx/withdraw'
  return `was unstaked before and ${tooEarly(path.atEpoch, snapshot)}`
}

const nodesDisagree = () =>
  new Fault(
    'rpc_unavailable',
    'The chain nodes do not agree right now, so nothing is built. Try again shortly.',
    {
      retryAfterSeconds: 5,
    },
  )

const epochIsChanging = () =>
  new Fault('rpc_unavailable', 'The epoch is changing right now. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })

const wrongField = (field: string, message: string) =>
  new Fault('invalid_input', `\`${field}\` ${message}.`, { details: [{ field, message }] })
