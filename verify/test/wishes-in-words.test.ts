import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PINS } from '../src/index.ts'
import { toWish } from '../src/wish.ts'

const id = fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean()).map(([bytes, isUpper]) => {
  const hex = Buffer.from(bytes).toString('hex')
  return `0x${isUpper ? hex.toUpperCase() : hex}`
})

/** The amount in tokens, with up to `zeros` trailing zeros. */
function inToken(units: bigint, decimals: number, zeros: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const shown = fraction.padEnd(Math.min(decimals, fraction.length + zeros), '0')
  return `${digits.slice(0, -decimals)}${shown === '' ? '' : `.${shown}`}`
}

test('a wish in words equals the same wish as an object, for every network, amount and id', () => {
  const wish = fc.record({
    network: fc.constantFrom(...Object.entries(PINS.networks)),
    action: fc.constantFrom('stake', 'unstake', 'withdraw'),
    units: fc.bigInt({ min: 1n, max: 18_446_744_073_709_551_615n }),
    isAll: fc.boolean(),
    zeros: fc.nat(9),
    target: id,
    sender: id,
    isNamed: fc.boolean(),
  })
  fc.assert(
    fc.property(
      wish,
      ({ network: [network, pins], action, units, isAll, zeros, target, sender, isNamed }) => {
        const amount = inToken(units, pins.decimals, zeros)
        const on = isNamed || network.endsWith('-testnet') ? ` on ${network}` : ''
        const isStake = action === 'stake'
        const words = isStake
          ? `stake ${amount} ${pins.symbol} with validator ${target} from ${sender}${on}`
          : `${action} ${isAll ? 'all' : amount} ${pins.symbol} of staked token ${target} from ${sender}${on}`
        const named = isStake ? { validator: target } : { stakedTokenId: target }
        const given = {
          network,
          sender,
          action,
          ...named,
          ...((isStake || !isAll) && { amount: String(units) }),
        }
        assert.deepEqual(toWish(words, PINS), toWish(given, PINS), words)
      },
    ),
    { numRuns: 500 },
  )
})

test('ambiguous words are refused, and the error says what is expected', () => {
  const [validator, sender] = [`0x${'b1'.repeat(32)}`, `0x${'a1'.repeat(32)}`]
  const stake = (amount: string, rest = `with validator ${validator} from ${sender}`) =>
    `stake ${amount} ${rest}`
  assert.equal(toWish(stake('5 IKA'), PINS).network, 'ika')
  const amounts = [
    '5,000',
    '5_000',
    '1 000',
    '1e3',
    '05',
    '.5',
    '5.',
    '+5',
    '-5',
    '٥',
    '\uff15',
    '0x5',
    'all',
    '5.0000000001',
  ]
  for (const amount of amounts)
    assert.throws(() => toWish(stake(`${amount} IKA`), PINS), {
      name: 'BadWish',
      message: /decimals|in words/,
    })
  assert.throws(() => toWish(stake('0 IKA'), PINS), { name: 'BadWish', message: /above 0/ })
  assert.throws(() => toWish(stake('99999999999 IKA'), PINS), { name: 'BadWish' })
  for (const symbol of ['ika', 'IKАA', 'INKU', 'MIST', 'constructor'])
    assert.throws(() => toWish(stake(`5 ${symbol}`), PINS), { name: 'BadWish', message: /one of .*IKA/ })
  for (const network of ['sui', 'mainnet', '__proto__'])
    assert.throws(() => toWish(`${stake('5 IKA')} on ${network}`, PINS), {
      name: 'BadWish',
      message: /which one/,
    })
  const wrong = [
    '',
    ` ${stake('5 IKA')}`,
    `${stake('5 IKA')} `,
    `${stake('5 IKA')}\nstake`,
    stake('5  IKA'),
    stake('5IKA'),
    stake('5 IKA', `with validator ${validator.slice(0, -1)} from ${sender}`),
    stake('5 IKA', `with validator ${validator} from 0xa1…`),
    stake('5 IKA', `from ${sender} with validator ${validator}`),
    `Stake 5 IKA with validator ${validator} from ${sender}`,
    `unstake 5 IKA from ${sender}`,
    `join staked tokens ${validator} from ${sender}`,
    `${stake('5 IKA')} and ${stake('6 IKA')}`,
  ]
  for (const words of wrong)
    assert.throws(() => toWish(words, PINS), { name: 'BadWish', message: /^a wish in words is/ }, words)
  const { ika } = PINS.networks
  assert(ika)
  const twins = { ...PINS, networks: { ...PINS.networks, other: ika } }
  assert.throws(() => toWish(stake('5 IKA'), twins), { name: 'BadWish', message: /say which one/ })
})

test('a shortened id, a name and a word such as `me` are refused with advice, and never looked up', () => {
  const [target, sender] = [`0x${'b1'.repeat(32)}`, `0x${'a1'.repeat(32)}`]
  const full = 'must be written as 0x and all 64 hex digits'
  const stake = (validator: string, from = sender) => `stake 5 IKA with ${validator} from ${from}`
  const take = (token: string, from = sender) => `withdraw all IKA of ${token} from ${from} on ika-testnet`
  const cases = [
    [stake(target), 'write `with validator 0x…`'],
    [take(target), 'write `of staked token 0x…`'],
    [stake('validator 0xb1'), `the validator ${full}, zeros in front included, and there are 2 here`],
    [stake('0x6'), `the validator ${full}, zeros in front included, and there is 1 here`],
    [stake(`${target}b1`), `the validator ${full}, zeros in front included, and there are 66 here`],
    [stake('validator 0xb1b1…b1b1'), `the validator ${full}, and digits are left out here`],
    [stake('validator b1b1...b1'), `the validator ${full}, and digits are left out here`],
    [stake('validator Mossy Ridge'), `the validator ${full}, and this is no id: names of validators`],
    [stake(`validator ${target.slice(2)}`), `the validator ${full}, and the 0x is missing`],
    [take('staked token mine'), `the staked token ${full}, and this is no id: nothing is looked up`],
    [take('staked token 0xb1', 'me'), `the staked token ${full}, zeros in front included`],
    [stake(`validator ${target}`, 'me'), `the sender after \`from\` ${full}, and this is no id: neither`],
    [stake(`validator ${target}`, 'alice.sui'), `the sender after \`from\` ${full}, and this is no id`],
    [take(`staked token ${target}`, '0xa1'), `the sender after \`from\` ${full}, zeros`],
  ] as const
  for (const [words, why] of cases)
    assert.throws(
      () => toWish(words, PINS),
      ({ name, message }: Error) =>
        name === 'BadWish' && message.startsWith(`a wish in words is exact: ${why}`),
      words,
    )
  const wish = { network: 'ika', action: 'stake', amount: '5' }
  for (const [validator, from, field] of [
    ['Mossy Ridge', sender, 'validator'],
    [target, 'me', 'sender'],
    ['0xb1…b1', sender, 'validator'],
  ] as const)
    assert.throws(() => toWish({ ...wish, validator, sender: from }, PINS), {
      name: 'BadWish',
      message: `${field} must be an id: 0x and 1 to 64 hex digits. A name or a shortened id is never looked up`,
    })
})
