import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type {
  ChainSnapshot,
  Command,
  CommandArgument,
  StakingAction,
  StakingChain,
} from '#ports/chain/staking-chain.ts'

export type OpenedWorld = AsyncDisposable & {
  readonly chain: StakingChain
  /** An address that holds at least one staked token. */
  readonly owner: string
  /** An address that holds none. */
  readonly stranger: string
}

const soon = () => AbortSignal.timeout(60_000)

/** The guarantees of every network, real or simulated. Each test opens its own world. */
export function stakingChainSuite(name: string, openWorld: () => Promise<OpenedWorld>): void {
  describe(`${name}: a staking chain`, () => {
    test('a snapshot is complete and adds up', async () => {
      await using world = await openWorld()
      const snapshot = await world.chain.readSnapshot(soon())
      assert.equal(snapshot.network, world.chain.network)
      checkWhole(snapshot)
      checkValidators(snapshot)
    })

    test('a later snapshot is never older than an earlier one', async () => {
      await using world = await openWorld()
      const first = await world.chain.readSnapshot(soon())
      const second = await world.chain.readSnapshot(soon())
      assert.ok(second.checkpoint >= first.checkpoint)
      assert.ok(second.checkpointAt >= first.checkpointAt)
      assert.ok(second.epoch.number >= first.epoch.number)
    })

    test('the history holds each completed epoch of a validator once, in order', async () => {
      await using world = await openWorld()
      const { epoch, validators } = await world.chain.readSnapshot(soon())
      const from = Math.max(0, epoch.number - 10)
      const records = await world.chain.readEpochs(from, soon())
      const known = new Set(validators.map((validator) => validator.id))
      assert.ok(records.length > 0)
      assert.ok(records.every((record) => record.epoch >= from && record.epoch < epoch.number))
      assert.ok(records.every((record) => known.has(record.validatorId)))
      assert.ok(
        records.every((record, index) => index === 0 || (records[index - 1]?.epoch ?? 0) <= record.epoch),
      )
      assert.equal(
        new Set(records.map((record) => `${record.validatorId}/${record.epoch}`)).size,
        records.length,
      )
      assert.ok(records.every(({ rate }) => rate.shares > 0n && rate.tokens > 0n))
      assert.ok(records.every((record) => record.endedAt <= epoch.startedAt))
    })

    test('a shorter history is the end of a longer one', async () => {
      await using world = await openWorld()
      const { epoch } = await world.chain.readSnapshot(soon())
      const long = await world.chain.readEpochs(Math.max(0, epoch.number - 8), soon())
      const from = Math.max(0, epoch.number - 3)
      const short = await world.chain.readEpochs(from, soon())
      assert.deepEqual(byKey(short), byKey(long.filter((record) => record.epoch >= from)))
    })

    test('there is no history of epochs that are not over', async () => {
      await using world = await openWorld()
      const { epoch } = await world.chain.readSnapshot(soon())
      assert.deepEqual(await world.chain.readEpochs(epoch.number, soon()), [])
    })

    test('a token read by its id is the one its owner holds', async () => {
      await using world = await openWorld()
      const tokens = await world.chain.stakedTokensOf(world.owner, soon())
      assert.ok(tokens.length > 0)
      for (const token of tokens) {
        assert.equal(token.owner, world.owner)
        assert.ok(token.principal > 0n && token.rewards >= 0n)
        assert.deepEqual(await world.chain.stakedToken(token.id, soon()), token)
      }
      const named = [...tokens.map(({ id }) => id), `0x${'9'.repeat(64)}`, 'no id at all']
      assert.deepEqual(await world.chain.stakedTokens(named, soon()), tokens)
    })

    test('an address without stake has no tokens, and an id of no token gives none', async () => {
      await using world = await openWorld()
      assert.deepEqual(await world.chain.stakedTokensOf(world.stranger, soon()), [])
      assert.equal(await world.chain.stakedToken(world.stranger, soon()), undefined)
      assert.equal(await world.chain.stakedToken('no id at all', soon()), undefined)
    })

    test('delegators are listed, or the page says that they are not synced yet', async () => {
      await using world = await openWorld()
      const { validators } = await world.chain.readSnapshot(soon())
      const id = validators[0]?.id ?? ''
      const page = await world.chain.delegatorsOf(id, { after: undefined, limit: 10 }, soon())
      assert.ok(page.delegators.length <= 10)
      if (page.kind === 'syncing')
        assert.deepEqual(page, {
          kind: 'syncing',
          delegators: [],
          next: undefined,
          isComplete: false,
          listedAt: undefined,
        })
    })

    test('commands are complete, in order, and go to the package of the snapshot', async () => {
      await using world = await openWorld()
      const snapshot = await world.chain.readSnapshot(soon())
      const validatorId = snapshot.validators.find(({ status }) => status === 'active')?.id ?? ''
      const [token] = await world.chain.stakedTokensOf(world.owner, soon())
      const stakedTokenId = token?.id ?? ''
      const amount = 2_000_000_000n
      const actions: readonly StakingAction[] = [
        { kind: 'stake', validatorId, amount },
        { kind: 'unstake', stakedTokenId, amount: undefined },
        { kind: 'unstake', stakedTokenId, amount },
        { kind: 'withdraw', stakedTokenId, amount: undefined },
        { kind: 'withdraw', stakedTokenId, amount },
        { kind: 'join', stakedTokenIds: [stakedTokenId, `0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] },
      ]
      for (const action of actions) {
        const commands = world.chain.commandsFor(snapshot, action)
        checkCommands(snapshot, action, commands)
        assert.deepEqual(world.chain.commandsFor(snapshot, action), commands)
      }
    })

    test('an aborted signal ends a read', async () => {
      await using world = await openWorld()
      await assert.rejects(world.chain.readSnapshot(AbortSignal.abort()))
    })
  })
}

function checkWhole({ checkpoint, checkpointAt, epoch, token, system, rewards }: ChainSnapshot): void {
  assert.ok(Number.isSafeInteger(checkpoint) && checkpoint >= 0)
  assert.ok(Number.isSafeInteger(checkpointAt) && checkpointAt >= epoch.startedAt)
  assert.ok(Number.isSafeInteger(epoch.number) && epoch.durationMs > 0)
  assert.ok(token.minStake > 0n && token.decimals > 0 && token.symbol.length > 0)
  assert.match(token.coinType, /^0x[0-9a-f]+::\w+::\w+$/)
  assert.match(token.stakedTokenType, /^0x[0-9a-f]+::\w+::\w+$/)
  assert.match(system.objectId, /^0x[0-9a-f]+$/)
  assert.match(system.packageId, /^0x[0-9a-f]+$/)
  assert.match(system.initialSharedVersion, /^\d+$/)
  assert.ok(system.minValidatorStake >= 0n && rewards.perEpoch >= 0n)
  assert.ok(system.minValidatorJoiningStake >= system.minValidatorStake)
}

function checkValidators({ epoch, validators }: ChainSnapshot): void {
  assert.ok(validators.some(({ status }) => status === 'active'))
  assert.equal(new Set(validators.map(({ id }) => id)).size, validators.length)
  for (const validator of validators) {
    const { stake, pendingStake, withdrawingStake, nextStake, unclaimedRewards } = validator
    assert.match(validator.id, /^0x[0-9a-f]{64}$/)
    assert.ok(
      [stake, pendingStake, withdrawingStake, nextStake, unclaimedRewards].every((amount) => amount >= 0n),
    )
    const expected = stake + pendingStake - withdrawingStake
    assert.equal(nextStake, expected > 0n ? expected : 0n)
    for (const bps of [validator.commissionBps, validator.nextCommissionBps]) {
      assert.ok(Number.isInteger(bps) && bps >= 0 && bps <= 10_000)
    }
    assert.equal(validator.inNextCommittee !== undefined, epoch.nextCommitteeSelected)
    assert.doesNotMatch(validator.name, /\p{Cc}/u)
  }
}

function checkCommands(snapshot: ChainSnapshot, action: StakingAction, commands: readonly Command[]): void {
  const calls = commands.filter((command) => command.kind === 'moveCall')
  assert.ok(calls.length > 0)
  assert.ok(calls.every((call) => call.target.startsWith(`${snapshot.system.packageId}::`)))
  if (action.kind === 'join') {
    checkJoin(action.stakedTokenIds, calls)
    assert.equal(commands.length, calls.length)
    return
  }
  const { objectId, initialSharedVersion } = snapshot.system
  const system: CommandArgument = { kind: 'sharedObject', objectId, initialSharedVersion, mutable: true }
  assert.deepEqual(calls.at(-1)?.arguments[0], system)
  checkResults(commands)
  const coins = commands.filter((command) => command.kind === 'coin')
  if (action.kind === 'stake') {
    assert.deepEqual(
      coins.map(({ coinType, amount }) => ({ coinType, amount })),
      [{ coinType: snapshot.token.coinType, amount: String(action.amount) }],
    )
    return
  }
  assert.deepEqual(coins, [])
  const used = calls.flatMap((call) => call.arguments)
  assert.ok(used.some((used) => used.kind === 'ownedObject' && used.objectId === action.stakedTokenId))
  const amounts = used.filter((used) => used.kind === 'pure')
  assert.deepEqual(
    amounts.map(({ value }) => value),
    action.amount === undefined ? [] : [String(action.amount)],
  )
}

/** One call for each further token joins it into the first. */
function checkJoin(ids: readonly string[], calls: readonly Extract<Command, { kind: 'moveCall' }>[]): void {
  const owned = (objectId: string | undefined) => ({ kind: 'ownedObject', objectId })
  assert.deepEqual(
    calls.map((call) => call.arguments),
    ids.slice(1).map((id) => [owned(ids[0]), owned(id)]),
  )
  assert.equal(new Set(calls.map(({ id }) => id)).size, ids.length - 1)
}

/** A result is used only after the command that makes it, and ids do not repeat. */
function checkResults(commands: readonly Command[]): void {
  const made = new Set<string>()
  for (const command of commands) {
    const used =
      command.kind === 'coin' ? [] : command.kind === 'moveCall' ? command.arguments : command.objects
    assert.ok(used.every((argument) => argument.kind !== 'result' || made.has(argument.of)))
    if (command.kind === 'transferToSender') continue
    assert.ok(!made.has(command.id))
    made.add(command.id)
  }
}

function byKey<T extends { readonly validatorId: string; readonly epoch: number }>(records: readonly T[]) {
  return new Map(
    [...records]
      .sort((a, b) => a.epoch - b.epoch || a.validatorId.localeCompare(b.validatorId))
      .map((record) => [`${record.epoch}/${record.validatorId}`, record]),
  )
}
