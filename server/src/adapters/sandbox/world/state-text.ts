import { Fault } from '../../../fault.ts'
import type { Pool, PoolState, RecordedRate } from '../staking/pool.ts'
import type { Token } from '../staking/staked-token.ts'
import type { Holder } from './holder.ts'
import { listText } from './list-text.ts'
import { heldBy, holderTable, type StoredHolder, toHolder } from './stored-holders.ts'
import type { SandboxValidator, ValidatorRow, World } from './world.ts'

/** Raised whenever the stored form changes. */
const FORMAT = 1

type StoredSeparately =
  | 'activeSet'
  | 'validators'
  | 'tokens'
  | 'accounts'
  | 'executed'
  | 'pot'
  | 'rewardsPerYear'
  | 'ledger'
  | 'history'
  | 'nextCommittee'

type Pairs = readonly (readonly [number, string])[]

/**
 * The stored form, with amounts as decimal strings. Most of it is rates and history, which never change once recorded:
 * each list is one string `a:b:c,a:b:c`, cached by `listText`.
 */
type Stored = {
  readonly format: number
  readonly world: Omit<World, StoredSeparately> & { readonly nextCommittee: readonly string[] | null }
  readonly amounts: Readonly<Record<'pot' | 'rewardsPerYear' | 'minted' | 'rewards' | 'paidOut', string>>
  readonly set: {
    readonly members: readonly (readonly [string, string])[]
    readonly changes: readonly string[]
  }
  readonly validators: readonly StoredValidator[]
  /** Holders of tokens and records, which refer to them by their index. */
  readonly holders: readonly StoredHolder[]
  readonly tokens: readonly (readonly [string, string, string, string, number, number | null, number?])[]
  readonly history: readonly (readonly [epoch: number, endedAt: number, rows: string])[]
  readonly accounts: readonly (readonly [id: string, loan: string, hour: number, epochs: number])[]
  readonly executed: readonly (readonly [digest: string, until: number, effects: string, holder?: number])[]
}

type StoredValidator = Omit<SandboxValidator, 'pool'> & {
  readonly state: PoolState
  readonly amounts: readonly [balance: string, shares: string, rewardsPool: string, commission: string]
  readonly commissionBps: number
  readonly nextCommissions: readonly (readonly [number, number])[]
  readonly pending: readonly [stake: Pairs, withdrawals: Pairs, preActive: Pairs]
  readonly rates: string
}

export function toText(world: World): string {
  const {
    activeSet,
    validators,
    tokens,
    accounts,
    executed,
    pot,
    rewardsPerYear,
    ledger,
    history,
    nextCommittee,
    ...rest
  } = world
  const holders = holderTable()
  const stored: Stored = {
    format: FORMAT,
    world: { ...rest, nextCommittee: nextCommittee ?? null },
    amounts: {
      pot: `${pot}`,
      rewardsPerYear: `${rewardsPerYear}`,
      minted: `${ledger.minted}`,
      rewards: `${ledger.rewards}`,
      paidOut: `${ledger.paidOut}`,
    },
    set: { members: activeSet.members.map(({ id, stake }) => [id, `${stake}`]), changes: activeSet.changes },
    validators: [...validators.values()].map(storeValidator),
    tokens: [...tokens.values()].map((token) => [
      token.id,
      token.owner,
      token.validatorId,
      `${token.principal}`,
      token.activationEpoch,
      token.withdrawEpoch ?? null,
      ...holders.indexOf(token.holder),
    ]),
    history: history.map((row) => [row.epoch, row.endedAt, rows.write(row.validators)]),
    accounts: [...accounts].map(([id, { loan, hour, epochs }]) => [id, `${loan}`, hour, epochs]),
    executed: [...executed].map(([digest, { until, effects, holder }]) => [
      digest,
      until,
      effects,
      ...holders.indexOf(holder),
    ]),
    holders: holders.rows,
  }
  return JSON.stringify(stored)
}

function storeValidator({ pool, ...validator }: SandboxValidator): StoredValidator {
  const pairs = (values: Pool['pendingStake']): Pairs =>
    [...values].map(([epoch, amount]) => [epoch, `${amount}`])
  return {
    ...validator,
    state: pool.state,
    amounts: [`${pool.balance}`, `${pool.shares}`, `${pool.rewardsPool}`, `${pool.commission}`],
    commissionBps: pool.commissionBps,
    nextCommissions: [...pool.nextCommissions],
    pending: [pairs(pool.pendingStake), pairs(pool.pendingWithdrawals), pairs(pool.preActiveWithdrawals)],
    rates: rates.write(pool.rates),
  }
}

const rates = listText<RecordedRate>({
  write: (list) => list.map(({ epoch, tokens, shares }) => `${epoch}:${tokens}:${shares}`).join(),
  read: (text) =>
    fieldsOf(text).map(([epoch, tokens, shares]) => ({
      epoch: Number(epoch),
      tokens: BigInt(tokens),
      shares: BigInt(shares),
    })),
})

const rows = listText<ValidatorRow>({
  write: (list) =>
    list.map(({ stake, commissionBps, performed }) => `${stake}:${commissionBps}:${performed ?? ''}`).join(),
  read: (text) =>
    fieldsOf(text).map(([stake, commissionBps, performed]) => ({
      stake: BigInt(stake),
      commissionBps: Number(commissionBps),
      performed: performed === '' ? undefined : performed === 'true',
    })),
})

export function toWorld(text: string): World {
  const stored = toStored(text)
  const { pot, rewardsPerYear, minted, rewards, paidOut } = stored.amounts
  const holders = stored.holders.map(toHolder)
  return {
    ...stored.world,
    nextCommittee: stored.world.nextCommittee ?? undefined,
    activeSet: {
      members: stored.set.members.map(([id, stake]) => ({ id, stake: BigInt(stake) })),
      changes: stored.set.changes,
    },
    validators: new Map(stored.validators.map((validator) => [validator.id, toValidator(validator)])),
    tokens: new Map(stored.tokens.map((token) => [token[0], toToken(token, holders)])),
    pot: BigInt(pot),
    rewardsPerYear: BigInt(rewardsPerYear),
    ledger: { minted: BigInt(minted), rewards: BigInt(rewards), paidOut: BigInt(paidOut) },
    history: stored.history.map(([epoch, endedAt, text]) => ({
      epoch,
      endedAt,
      validators: rows.read(text),
    })),
    accounts: new Map(
      stored.accounts.map(([id, loan, hour, epochs]) => [id, { loan: BigInt(loan), hour, epochs }]),
    ),
    executed: new Map(
      stored.executed.map(([digest, until, effects, holder]) => [
        digest,
        { until, effects, ...heldBy(holders, holder) },
      ]),
    ),
  }
}

/** The cast holds because only `toText` writes to the store; the format number identifies its version. */
function toStored(text: string): Stored {
  try {
    const stored = JSON.parse(text) as Stored
    if (stored.format === FORMAT) return stored
  } catch (cause) {
    throw new Fault(
      'store_not_ready',
      'The stored sandbox chain cannot be read: restore it or start a new one.',
      {
        cause,
      },
    )
  }
  throw new Fault(
    'store_not_ready',
    'The stored sandbox chain has another format: use the release that wrote it.',
  )
}

function toValidator(stored: StoredValidator): SandboxValidator {
  const { id, name, missesPerMille, restless, state, commissionBps } = stored
  const [balance, shares, rewardsPool, commission] = stored.amounts
  const [stake, withdrawals, preActive] = stored.pending
  const pending = (pairs: Pairs) => new Map(pairs.map(([epoch, amount]) => [epoch, BigInt(amount)]))
  const pool: Pool = {
    id,
    state,
    balance: BigInt(balance),
    shares: BigInt(shares),
    rewardsPool: BigInt(rewardsPool),
    commission: BigInt(commission),
    commissionBps,
    nextCommissions: new Map(stored.nextCommissions),
    pendingStake: pending(stake),
    pendingWithdrawals: pending(withdrawals),
    preActiveWithdrawals: pending(preActive),
    rates: rates.read(stored.rates),
  }
  return { id, name, missesPerMille, restless, pool }
}

function toToken(stored: Stored['tokens'][number], holders: readonly Holder[]): Token {
  const [id, owner, validatorId, principal, activationEpoch, withdrawEpoch, holder] = stored
  const amounts = { principal: BigInt(principal), withdrawEpoch: withdrawEpoch ?? undefined }
  return { id, owner, validatorId, activationEpoch, ...amounts, ...heldBy(holders, holder) }
}

function fieldsOf(text: string): readonly (readonly [string, string, string])[] {
  if (text === '') return []
  return text.split(',').map((record) => {
    const [first = '', second = '', third = ''] = record.split(':')
    return [first, second, third]
  })
}
