import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const TOKEN = 1_000_000_000n
const total = (parts: readonly { amount: string }[]) =>
  parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

test('200: the parts sum exactly to the amount, largest first, proven optimal', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  for (const amount of [TOKEN, 2n * TOKEN - 1n, 7_777_777n * TOKEN + 3n, 900_000_000n * TOKEN]) {
    for (const maxValidators of [1, 5, 50]) {
      const answer = await client.allocate({ amount: String(amount), maxValidators })
      const amounts = answer.allocations.map((part) => BigInt(part.amount))
      assert.equal(total(answer.allocations), amount)
      assert(amounts.length <= maxValidators)
      assert(amounts.every((part, at) => part >= TOKEN && part <= (amounts[at - 1] ?? part)))
      assert(Math.abs(answer.allocations.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9)
      assert(answer.certificate.gap <= 1e-9)
    }
  }
})

test('200: only validators that the tier can see, and that may receive stake', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'free')
  const { validators } = await client.scoredValidators()
  const visible = new Set(validators.map(({ validatorId }) => validatorId))
  const { allocations } = await client.allocate({ amount: String(500_000_000n * TOKEN), maxValidators: 50 })
  assert(allocations.length > 1)
  assert(allocations.every(({ validatorId }) => visible.has(validatorId)))
})

test('200: the projected yield is net of own dilution', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const small = await client.allocate({ amount: String(TOKEN), maxValidators: 1 })
  const large = await client.allocate({ amount: String(100_000_000n * TOKEN), maxValidators: 1 })
  const spread = await client.allocate({ amount: String(100_000_000n * TOKEN), maxValidators: 20 })
  assert(large.totalProjectedApy < small.totalProjectedApy / 1.5)
  assert(spread.totalProjectedApy > large.totalProjectedApy)
})

test('200: every projection has a range, and that of the whole split is the narrowest', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const answer = await client.allocate({ amount: String(100_000_000n * TOKEN), maxValidators: 20 })
  const widths = [...answer.allocations, answer].map(({ range }) => {
    assert(range)
    assert(range.low > 0 && range.low < range.high)
    assert.deepEqual([range.level, range.epochs], [0.8, 7])
    return (range.high - range.low) / range.high
  })
  assert(Math.min(...widths) === widths.at(-1))
})

test('200: exclusion and the largest share are kept; an explanation says why', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const amount = String(1_000_000n * TOKEN)
  const free = await client.allocate({ amount, maxValidators: 5 })
  const exclude = free.allocations.map(({ validatorId }) => validatorId)
  const answer = await client.allocate({ amount, maxValidators: 4, maxShare: 0.25, exclude, explain: true })
  assert.deepEqual(
    answer.allocations.map(({ weight }) => weight),
    [0.25, 0.25, 0.25, 0.25],
  )
  assert(answer.allocations.every(({ validatorId }) => !exclude.includes(validatorId)))
  assert.equal(answer.explanation?.chosen.length, 4)
  assert(answer.explanation?.chosen.every(({ heldBy }) => heldBy === 'max_share'))
  assert.equal(free.explanation, undefined)
})

test('200: equal requests get equal answers', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const input = { amount: String(123_456n * TOKEN), maxValidators: 7 }
  assert.deepEqual(await client.allocate(input), await client.allocate(input))
})

test('400: an amount that is not written in plain digits, or out of range, is refused', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const wrong = [
    '1e9',
    '1,000',
    ' 5',
    '5 ',
    '5\n',
    '0x10',
    '-1',
    '',
    '9'.repeat(30),
    '1.5',
    '+1',
    '01',
    '１',
    '٣',
    'NaN',
  ]
  for (const amount of [...wrong, String(2n ** 64n)]) {
    await assert.rejects(
      client.allocate({ amount }),
      (error: { code: string; details: { field: string }[] }) => {
        assert.equal(error.code, 'invalid_input')
        assert.equal(error.details[0]?.field, 'amount')
        return /digits/.test(String(error))
      },
    )
  }
  for (const amount of ['0', '1', String(TOKEN - 1n)]) {
    await assert.rejects(client.allocate({ amount }), { code: 'invalid_input', status: 400 }, amount)
  }
})

test('400: a wrong value of any other field is refused with the name of the field and a fix for it', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    maxValidators: [0, 51, 1.5, '3', null],
    riskAversion: [-1, 1001, 'low'],
    maxShare: [0, 1.1, -0.5],
    exclude: ['x', [1], Array(101).fill('v')],
    explain: ['yes', 1],
    surprise: [1],
  }
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const input = { amount: String(TOKEN), [field]: value }
      await assert.rejects(
        client.allocate(input),
        (error: { status: number; fix: string; details: { field: string }[] }) => {
          assert.equal(error.status, 400)
          assert.match(error.details[0]?.field ?? '', new RegExp(`^${field}`))
          assert.match(error.fix, new RegExp(`\`${field}|/staking/validators`), error.fix)
          return true
        },
      )
    }
  }
})

test('400: excluding all validators, or a share too small to place the amount, says what to change', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const { data } = await client.validators()
  const exclude = data.map(({ id }) => id)
  const amount = String(10n * TOKEN)
  await assert.rejects(client.allocate({ amount, exclude }), { message: /exclude fewer/ })
  await assert.rejects(client.allocate({ amount, maxShare: 0.1, maxValidators: 5 }), { message: /maxShare/ })
})
