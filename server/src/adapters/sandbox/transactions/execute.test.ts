import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'
import {
  EPOCH_MS,
  ME,
  openTestChain,
  STARTED_AT,
  soon,
  TOKEN,
  withStatus,
} from '../../../../test/sandbox/test-chain.ts'
import { Fault } from '../../../fault.ts'
import { foundWorld } from '../world/genesis.ts'
import { toText } from '../world/state-text.ts'
import { COIN_TYPE, commandsFor, PACKAGE_ID, SYSTEM_ID } from './commands.ts'
import { executeCommands } from './execute.ts'

const system = {
  kind: 'sharedObject',
  objectId: SYSTEM_ID,
  initialSharedVersion: '1',
  mutable: true,
} as const satisfies CommandArgument
const result = (of: string): CommandArgument => ({ kind: 'result', of })
const owned = (objectId: string): CommandArgument => ({ kind: 'ownedObject', objectId })
const pure = (type: 'u64' | 'id' | 'address', value: string): CommandArgument => ({
  kind: 'pure',
  type,
  value,
})
const coin = (id = 'coin', amount = `${5n * TOKEN}`): Extract<Command, { kind: 'coin' }> => ({
  kind: 'coin',
  id,
  coinType: COIN_TYPE,
  amount,
})
const call = (
  id: string,
  name: string,
  ...args: CommandArgument[]
): Extract<Command, { kind: 'moveCall' }> => ({
  kind: 'moveCall',
  id,
  target: `${PACKAGE_ID}::${name}`,
  typeArguments: [],
  arguments: args,
})
const give = (...of: string[]): Command => ({ kind: 'transferToSender', objects: of.map(result) })

test('built commands are coin, calls and transfer, in this order and with the documented targets', async () => {
  const { snapshot } = await openTestChain()
  const seen = await snapshot()
  const target = (name: string) => `${seen.system.packageId}::${name}`
  const outline = (commands: readonly Command[]) =>
    commands.map((command) => (command.kind === 'moveCall' ? command.target : command.kind))
  const of = (action: Parameters<typeof commandsFor>[1]) => outline(commandsFor(seen, action))
  const token = { stakedTokenId: ME, amount: undefined }
  const [add, request, withdraw, split] = [
    target('system::request_add_stake'),
    target('system::request_withdraw_stake'),
    target('system::withdraw_stake'),
    target('staked_token::split'),
  ]
  assert.deepEqual(of({ kind: 'stake', validatorId: ME, amount: TOKEN }), ['coin', add, 'transferToSender'])
  assert.deepEqual(of({ kind: 'unstake', ...token }), [request])
  assert.deepEqual(of({ kind: 'unstake', ...token, amount: TOKEN }), [split, request, 'transferToSender'])
  assert.deepEqual(of({ kind: 'withdraw', ...token }), [withdraw, 'transferToSender'])
  assert.deepEqual(of({ kind: 'withdraw', ...token, amount: TOKEN }), [split, withdraw, 'transferToSender'])
  assert.deepEqual(commandsFor(seen, { kind: 'stake', validatorId: ME, amount: TOKEN })[1], {
    kind: 'moveCall',
    id: 'staked',
    target: add,
    typeArguments: [],
    arguments: [system, result('coin'), pure('id', ME)],
  })
})

test('join merges two tokens into one, which pays both principals; tokens of different validators do not join', async () => {
  const { chain, snapshot, stake, token, act } = await openTestChain()
  const { id: validatorId } = withStatus(await snapshot(), 'active')
  const [one, two] = [await stake(validatorId), await stake(validatorId, 7n * TOKEN)]
  const joined = await chain.execute(ME, [call('joined', 'staked_token::join', owned(one), owned(two))])
  assert.deepEqual(joined.kind === 'done' && [joined.changed, joined.consumed], [
    [{ id: one, withdrawEpoch: undefined }],
    [two],
  ])
  assert.equal((await token(one)).principal, 12n * TOKEN)
  const paid = await act({ kind: 'withdraw', stakedTokenId: one, amount: undefined })
  assert.equal(paid.kind === 'done' && paid.coinsPaidOut, 12n * TOKEN)
  const other = await stake(withStatus(await snapshot(), 'pending').id)
  const third = await stake(validatorId)
  const unlike = await chain.execute(ME, [call('joined', 'staked_token::join', owned(third), owned(other))])
  assert.deepEqual(unlike.kind === 'aborted' && [unlike.module, unlike.code], ['staked_token', 1])
})

test('a transaction is all or nothing: an abort in the last command undoes the first', async () => {
  const { chain, snapshot, states } = await openTestChain()
  const { id } = withStatus(await snapshot(), 'active')
  const before = states.text()
  const aborted = await chain.execute(ME, [
    coin('first'),
    call('staked', 'system::request_add_stake', system, result('first'), pure('id', id)),
    give('staked'),
    coin('second', '1'),
    call('more', 'system::request_add_stake', system, result('second'), pure('id', id)),
    give('more'),
  ])
  assert.equal(aborted.kind, 'aborted')
  assert.equal(states.text(), before)
  assert.deepEqual(await chain.stakedTokensOf(ME, soon()), [])
})

test('commands that are not well formed are refused, and the message names the place', async () => {
  const { chain, snapshot, stake, states, tokenWith } = await openTestChain()
  const validatorId = withStatus(await snapshot(), 'active').id
  const mine = await stake(validatorId)
  const foreign = (await tokenWith(validatorId)).id
  const add = (...args: CommandArgument[]) => call('staked', 'system::request_add_stake', ...args)
  const to = pure('id', validatorId)
  const refused: readonly [RegExp, readonly Command[]][] = [
    [/commands: give a list/, []],
    [/commands: nothing takes the result of 'coin'/, [coin()]],
    [/commands: nothing takes the result of 'staked'/, [coin(), add(system, result('coin'), to)]],
    [/commands\[0\]\.coinType/, [{ ...coin(), coinType: '0x2::sui::SUI' }, give('coin')]],
    [/commands\[0\]\.amount/, [coin('coin', '18446744073709551616'), give('coin')]],
    [/commands\[0\]\.amount/, [coin('coin', '-1'), give('coin')]],
    [/commands\[0\]\.amount/, [coin('coin', '0x10'), give('coin')]],
    [/commands\[0\]\.id/, [coin(''), give('')]],
    [/commands\[1\]\.id/, [coin(), coin()]],
    [/commands\[1\]\.objects: name/, [coin(), give()]],
    [/objects\[0\]: no earlier command/, [give('coin')]],
    [/objects\[1\]: that result is used/, [coin(), give('coin', 'coin')]],
    [/objects\[0\]: only results/, [{ kind: 'transferToSender', objects: [system] }]],
    [/\.target/, [call('x', 'system::mint')]],
    [/\.target/, [call('x', 'constructor')]],
    [/\.target/, [{ ...call('x', ''), target: `${ME}::system::withdraw_stake` }]],
    [/\.arguments: this call takes 3/, [add(system)]],
    [/arguments\[0\]: give the shared system/, [coin(), add(owned(mine), result('coin'), to)]],
    [/arguments\[0\]: the call changes/, [coin(), add({ ...system, mutable: false }, result('coin'), to)]],
    [/arguments\[1\]: no earlier/, [add(system, result('coin'), to)]],
    [/arguments\[1\]: give the result of a coin/, [add(system, owned(mine), to)]],
    [/arguments\[2\]: give a pure value of type id/, [coin(), add(system, result('coin'), pure('u64', '1'))]],
    [/arguments\[2\]: give an id/, [coin(), add(system, result('coin'), pure('id', 'nobody'))]],
    [
      /^sender: owns no object .* commands\[0\]\.arguments\[1\]/,
      [call('x', 'system::withdraw_stake', system, owned(foreign))],
    ],
    [/^sender: owns no object/, [call('x', 'system::withdraw_stake', system, owned(ME))]],
    [
      /arguments\[1\]: that result is a coin/,
      [coin(), call('x', 'system::withdraw_stake', system, result('coin'))],
    ],
    [/arguments\[1\]: a token cannot be joined/, [call('x', 'staked_token::join', owned(mine), owned(mine))]],
    [
      /arguments\[1\]: give a whole number/,
      [call('x', 'staked_token::split', owned(mine), pure('u64', '1e9'))],
    ],
    [
      /arguments\[0\]: that command has no result/,
      [
        call('request', 'staked_token::join', owned(mine), owned(await stake(validatorId))),
        call('x', 'staked_token::split', result('request'), pure('u64', '1')),
      ],
    ],
  ]
  const before = states.text()
  for (const [message, commands] of refused) {
    await assert.rejects(chain.execute(ME, commands), (error) => {
      assert.ok(error instanceof Fault && error.code === 'invalid_input')
      assert.match(error.message, message)
      return true
    })
  }
  await assert.rejects(chain.execute('me', [coin(), give('coin')]), /sender/)
  assert.equal(states.text(), before)
})

test('the refusal is the same for a token of another owner and for a token that does not exist', async () => {
  const { chain, snapshot, tokenWith } = await openTestChain()
  const foreign = (await tokenWith(withStatus(await snapshot(), 'active').id)).id
  const refusal = (id: string) =>
    chain
      .execute(ME, [call('x', 'system::request_withdraw_stake', system, owned(id))])
      .catch((error) => error.message)
  assert.equal(await refusal(foreign), await refusal(`0x${'0'.repeat(64)}`))
})

const founded = foundWorld(1, EPOCH_MS, STARTED_AT)
const [someone] = founded.tokens.values()
const sender = someone?.owner ?? ME

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'coin',
    'staked',
    '__proto__',
    'constructor',
    '',
    ME,
    SYSTEM_ID,
    someone?.id ?? '',
    COIN_TYPE,
    '1',
    '\u0000',
  ),
)
const numbers = fc.oneof(
  words,
  fc.bigInt().map(String),
  fc.constantFrom('1000000000', '18446744073709551615', '0', '-0', 'NaN'),
)
const argument = fc.oneof(
  fc.constant(system),
  fc.record({
    kind: fc.constant('sharedObject'),
    objectId: words,
    initialSharedVersion: numbers,
    mutable: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('ownedObject'),
    objectId: fc.oneof(words, fc.constantFrom(...founded.tokens.keys())),
  }),
  fc.record({ kind: fc.constant('pure'), type: fc.constantFrom('u64', 'id', 'address'), value: numbers }),
  fc.record({
    kind: fc.constant('pure'),
    type: fc.constant('id'),
    value: fc.constantFrom(...founded.validators.keys()),
  }),
  fc.record({ kind: fc.constant('result'), of: words }),
)
const target = fc.oneof(
  words,
  fc
    .constantFrom(
      'system::request_add_stake',
      'system::request_withdraw_stake',
      'system::withdraw_stake',
      'staked_token::split',
      'staked_token::join',
    )
    .map((name) => `${PACKAGE_ID}::${name}`),
)
const plausible = fc.oneof(
  fc.record({ kind: fc.constant('coin'), id: words, coinType: fc.constant(COIN_TYPE), amount: numbers }),
  fc.record({
    kind: fc.constant('moveCall'),
    id: words,
    target,
    typeArguments: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(words) },
    ),
    arguments: fc.array(argument, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('transferToSender'), objects: fc.array(argument, { maxLength: 3 }) }),
)

/** Transactions that are well formed: the contract decides. */
const wellFormed = fc.oneof(
  fc
    .record({
      amount: fc.constantFrom('1', `${5n * TOKEN}`),
      validatorId: fc.constantFrom(...founded.validators.keys()),
    })
    .map(({ amount, validatorId }) => [
      coin('coin', amount),
      call('staked', 'system::request_add_stake', system, result('coin'), pure('id', validatorId)),
      give('staked'),
    ]),
  fc
    .constantFrom(...founded.tokens.values().filter(({ owner }) => owner === sender))
    .map(({ id }) => [call('request', 'system::request_withdraw_stake', system, owned(id))]),
)

/** A cast without a check: the edge validates commands, and this test sends invalid ones. */
const toCommands = (value: unknown) => value as readonly Command[]

test('any input gives an effect, an abort or a refusal, and leaves the world before it unchanged', () => {
  const before = toText(founded)
  const outcomes = new Set<string>()
  const hostile = fc.oneof(
    { weight: 6, arbitrary: fc.array(plausible, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(plausible, fc.anything()), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.anything() },
    { weight: 1, arbitrary: wellFormed },
  )
  fc.assert(
    fc.property(
      hostile,
      fc.oneof({ weight: 8, arbitrary: fc.constant(sender) }, { weight: 1, arbitrary: words }),
      (commands, by) => {
        try {
          outcomes.add(executeCommands(founded, by, toCommands(commands)).result.kind)
        } catch (error) {
          assert.ok(error instanceof Fault && error.code === 'invalid_input', String(error))
          outcomes.add('refused')
        }
      },
    ),
    { numRuns: 3_000 },
  )
  assert.equal(toText(founded), before)
  assert.deepEqual([...outcomes].toSorted(), ['aborted', 'done', 'refused'])
})
