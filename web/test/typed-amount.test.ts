import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePositions } from '../src/data/positions-text.ts'
import type { Network, Validator } from '../src/data/queries.ts'
import { readTokens, tokensAsInput } from '../src/parts/typed/amount.ts'
import { readTyped, signsOf } from '../src/parts/typed/number.ts'

const LOCALES =
  'en-US de-DE de-CH fr-FR fr-CH es-ES pt-BR pl-PL sv-SE en-IN hi-IN mr-IN en-ZA ja-JP he-IL ar-EG fa-IR bn-BD'.split(
    ' ',
  )
const DECIMALS = 9
const COIN = { decimals: DECIMALS, symbol: 'SBX' } as const

test('an amount is read to the last unit as every locale writes it, grouped or not', () => {
  for (const locale of LOCALES) {
    const signs = signsOf([locale])
    const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: DECIMALS })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        const unit = 10n ** BigInt(DECIMALS)
        const exact = `${amount / unit}.${(amount % unit).toString().padStart(DECIMALS, '0')}`
        for (const text of [grouped.format(toNumeric(exact)), tokensAsInput(amount, DECIMALS, signs)]) {
          const read = readTokens(text, COIN, signs)
          assert.equal(amountOf(read), amount, `${locale}: ${text}`)
        }
      }),
      { numRuns: 30 },
    )
  }
})

const amountOf = (read: ReturnType<typeof readTokens>) =>
  read.kind === 'amount' ? read.amount : read.kind === 'noted' ? read.readAs : read.text

/** Digits with a point: `Intl` writes them as they are, without rounding to a `number`. */
const toNumeric = (text: string) => text as Intl.StringNumericLiteral

/** Locale, text, the amount read in tokens, and whether another locale would read another amount. */
const READ = [
  ['en-US', '1,500', '1500', 'doubtful'],
  ['en-US', '1.500', '1.5', 'doubtful'],
  ['en-US', '1,500.25', '1500.25', 'clear'],
  ['en-US', '2500.5', '2500.5', 'clear'],
  ['en-US', '0.500', '0.5', 'clear'],
  ['de-DE', '1,5', '1.5', 'clear'],
  ['de-DE', '1.500', '1500', 'doubtful'],
  ['de-DE', '1.500,25', '1500.25', 'clear'],
  ['fr-FR', '1 500,25', '1500.25', 'clear'],
  ['fr-FR', '1,500', '1.5', 'doubtful'],
  ['de-CH', '1’500.25', '1500.25', 'clear'],
  ['de-CH', "1'234'567.5", '1234567.5', 'clear'],
  ['en-US', '1 234 567.5', '1234567.5', 'clear'],
  ['en-US', "12'345", '12345', 'clear'],
  ['en-US', '123_456_789', '123456789', 'clear'],
  ['en-US', '\u00a01\u00a0234\u202f567\u2009890 ', '1234567890', 'clear'],
  ['de-DE', '1 234,5', '1234.5', 'clear'],
  ['hi-IN', '12 34 567.5', '1234567.5', 'clear'],
  ['en-IN', '12,34,567.5', '1234567.5', 'clear'],
  ['ar-EG', '١٬٥٠٠٫٢٥', '1500.25', 'clear'],
  ['ar-EG', '1500', '1500', 'clear'],
  ['fa-IR', '٢٥٠٠٫٥', '2500.5', 'clear'],
  ['en-US', '۲۵۰۰', '2500', 'clear'],
  ['en-US', '२५००', '2500', 'clear'],
] as const

test('the locale decides what points and commas mean, and ambiguous amounts are marked', () => {
  for (const [locale, text, tokens, doubt] of READ) {
    const signs = signsOf([locale])
    const read = readTokens(text, COIN, signs)
    assert.equal(inTokens(amountOf(read)), tokens, `${locale}: ${text}`)
    const note = read.kind === 'noted' ? read.note.replace(/^Read as .*: /, '') : undefined
    const expected = doubt === 'doubtful' ? `“${signs.decimal}” is the decimal sign here.` : undefined
    assert.equal(note, expected, `${locale}: ${text}`)
  }
})

const inTokens = (amount: bigint | string) =>
  typeof amount === 'bigint' ? tokensAsInput(amount, DECIMALS, signsOf(['en-US'])) : amount

const unread = (text: string) =>
  ['en-US', text, 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'] as const

test('a space, an apostrophe or an underscore inside a number is refused unless it groups it', () => {
  for (const locale of LOCALES) {
    const signs = signsOf([locale])
    const sizes = signs.hasPairs ? [2, 3] : [3]
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^\d{1,4}$/), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '\u00a0', '\u202f', '\u2009', "'", '’', '_'),
        (groups, sign) => {
          const [first = '', ...rest] = groups
          const text = groups.join(sign)
          const isGrouped =
            rest.length === 0 ||
            (/^[1-9]\d{0,2}$/.test(first) &&
              rest.at(-1)?.length === 3 &&
              rest.every(({ length }) => sizes.includes(length)))
          const read = readTyped(text, signs)
          if (isGrouped)
            assert(read.kind === 'number' && read.number.whole === groups.join(''), `${locale}: ${text}`)
          else assert.equal(read.kind, 'unread', `${locale}: ${text}`)
        },
      ),
      { numRuns: 200 },
    )
  }
})

const REFUSED: readonly (readonly [locale: string, text: string, problem: string])[] = [
  ['en-US', '1,5', 'Write 1.5: “.” is the decimal sign here.'],
  ['de-DE', '1.5', 'Write 1,5: “,” is the decimal sign here.'],
  ['fr-FR', '1.500', 'Write 1,500 or 1500: “,” is the decimal sign here.'],
  ['de-DE', '1,5,0', 'Write an amount such as 2500,5 or 10M, with at most 9 decimals.'],
  ...['1 5', '12 34', '5 0 0', "1'5", '1_5', '1 5000', '1234 567', '12 34 567', "1'2.5"].map(unread),
  ...['0 500', '1  500', "1 234'567", '1,234 567', '1 .5', '1. 5', '1.234 567'].map(unread),
  ...["1'", "'1", '_1', '1_', "1'500'"].map(unread),
  ['en-US', '1 234,567', 'Write 1234.567: “.” is the decimal sign here.'],
  ['fr-FR', '1 5', 'Write an amount such as 2500,5 or 10M, with at most 9 decimals.'],
  ['de-CH', '1’5', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['hi-IN', '1 5', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '12,34,567', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '0.1234567891', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  // Both readings have more decimals than the coin.
  ['de-DE', '1.0000000001', 'Write an amount such as 2500,5 or 10M, with at most 9 decimals.'],
  ['en-US', '1,0000000001', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '1e3', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '-1', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '250 IKA', '“IKA” is not understood here: write SBX, such as 2500.5 or 10M.'],
  ['en-US', '$250', '“$” is not understood here: write SBX, such as 2500.5 or 10M.'],
  ['en-US', '10m', '“m” is not understood here: write SBX, such as 2500.5 or 10M.'],
  ['de-DE', '1.5k', 'Write 1,5k: “,” is the decimal sign here.'],
  ['de-DE', '2B', '“B” is not understood here: write SBX, such as 2500,5 or 10M.'],
  ['en-US', '1.1234567891234k', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
  ['en-US', '20B', 'That is more than the chain can count. Write at most 18,446,744,073.709551615 SBX.'],
  [
    'en-US',
    '999999999999999999999',
    'That is more than the chain can count. Write at most 18,446,744,073.709551615 SBX.',
  ],
  ['en-US', '', 'Write an amount such as 2500.5 or 10M, with at most 9 decimals.'],
]

test('text that is no number of the locale is refused, with what to write instead', () => {
  for (const [locale, text, problem] of REFUSED)
    assert.deepEqual(readTokens(text, COIN, signsOf([locale])), { kind: 'problem', text: problem })
})

/** Text that people paste: with the name of the coin or a scale word, in the form of their locale. */
const PASTED = [
  ['en-US', '250000 SBX', '250000'],
  ['en-US', 'sbx 250,000.5', '250000.5'],
  ['en-US', '10M', '10000000'],
  ['en-US', '10.5M SBX', '10500000'],
  ['en-US', '1.5k', '1500'],
  ['en-US', '1.234567891234K', '1234.567891234'],
  ['en-US', '2B', '2000000000'],
  ['de-DE', '250.000 SBX', '250000'],
  ['de-DE', '1,5k', '1500'],
  ['de-DE', '10 Mio. SBX', '10000000'],
  ['de-DE', '10 Mio', '10000000'],
  ['fr-FR', '1,5 M', '1500000'],
  ['es-ES', '10 mil', '10000'],
  ['pt-BR', '1,5 mi', '1500000'],
  ['en-IN', '2.5L', '250000'],
  ['en-IN', '1Cr', '10000000'],
  ['ja-JP', '100万', '1000000'],
  ['ja-JP', '２５００', '2500'],
  ['he-IL', '10M\u200f', '10000000'],
  ['ar-EG', '١٠ مليون', '10000000'],
] as const

test('pasted amounts are read with the name of the coin and with scale words', () => {
  for (const [locale, text, tokens] of PASTED) {
    const read = readTokens(text, COIN, signsOf([locale]))
    assert.equal(inTokens(amountOf(read)), tokens, `${locale}: ${text}`)
  }
})

test('pages write Latin digits in every locale, with its own separators', () => {
  for (const locale of LOCALES) {
    const signs = signsOf([locale])
    assert.match(tokensAsInput(2_500_500_000_000n, DECIMALS, signs), /^2500\D5$/, locale)
  }
  assert.equal(signsOf(['de-DE']).decimal, ',')
})

test('every locale reads the short form that its pages write', () => {
  for (const locale of LOCALES) {
    const own = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 4 })
    // Pages write the words of another script in English.
    const isLatin = /\p{Script=Latin}/u.test(own.format(1_500_000_000))
    const english = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
    const inEnglish = (tokens: number) => english.format(tokens).replace('.', signsOf([locale]).decimal)
    for (const tokens of [1_000, 12_340, 1_234_000, 10_000_000, 1_500_000_000]) {
      for (const text of [own.format(tokens), ...(isLatin ? [] : [inEnglish(tokens)])]) {
        const read = readTokens(text, COIN, signsOf([locale]))
        assert.equal(amountOf(read), BigInt(tokens) * 10n ** 9n, `${locale}: ${text}`)
      }
    }
  }
})

test('the commas of an amount in a line of positions stay in the amount', () => {
  const id = `0x${'1'.repeat(64)}`
  const token = `0x${'ab'.repeat(32)}`
  // `parsePositions` reads only these fields of a validator and a network.
  const validators = [{ id, name: 'Mossy Ridge' }] as unknown as readonly Validator[]
  const network = COIN as unknown as Network
  for (const line of [
    'Mossy Ridge, 25,000.5',
    `mossy ridge; 25 000.5; ${token}`,
    `${id}\t25000.5`,
    `Mossy Ridge, 25,000.5 SBX, ${token}`,
    'Mossy Ridge, 25.0005k',
  ]) {
    const parsed = parsePositions(line, validators, network)
    assert(parsed.kind === 'ok', JSON.stringify(parsed))
    assert.equal(parsed.positions[0]?.principal, '25000500000000')
  }
  for (const wrong of ['hello', '0x5', '0xabc', `${token}0`, '0xno'])
    for (const line of [`Mossy Ridge, 2M, ${wrong}`, `Mossy Ridge; 2M; ${wrong}`])
      assert.deepEqual(parsePositions(line, validators, network), {
        kind: 'problem',
        text: `Line 1: “${wrong}” is no id of a staked token: it begins with 0x and has 64 hex digits. It may be left out.`,
      })
  assert.deepEqual(parsePositions('Mossy Ridge, 1,5', validators, network), {
    kind: 'problem',
    text: 'Line 1: write 1.5: “.” is the decimal sign here.',
  })
  assert.deepEqual(parsePositions('mossy ridge 1,000,000', validators, network), {
    kind: 'problem',
    text: 'Line 1: write “,” after the name: Mossy Ridge, 1,000,000',
  })
})

test('a position whose amount may mean another one has a note of its line, and leftovers are refused', () => {
  // `parsePositions` reads only these fields of a validator and a network.
  const validators = [{ id: `0x${'1'.repeat(64)}`, name: 'Mossy Ridge' }] as unknown as readonly Validator[]
  const read = (text: string) => parsePositions(text, validators, COIN as unknown as Network)
  const noted = read('Mossy Ridge, 25000\nMossy Ridge, 25.000\nMossy Ridge, 25,000\nMossy Ridge; 2M')
  assert(noted.kind === 'ok')
  assert.deepEqual(noted.notes, [
    'Line 2: read as 25 SBX: “.” is the decimal sign here.',
    'Line 3: read as 25,000 SBX: “.” is the decimal sign here.',
    'Line 4: read as 2,000,000 SBX.',
  ])
  for (const amount of ['25, 000', '25 ,000', '25000,', '25000, 5'])
    assert.deepEqual(read(`Mossy Ridge, ${amount}`), {
      kind: 'problem',
      text: 'Line 1: write an amount such as 2500.5 or 10M, with at most 9 decimals.',
    })
  for (const sign of [';', '\t', '; 0; '])
    assert.equal(read(`Mossy Ridge; 25${sign}000`).kind, 'problem', sign)
  assert.deepEqual(read('Mossy Ridge; 25; 000'), {
    kind: 'problem',
    text: 'Line 1: “000” is left over: a line has a validator, an amount and perhaps the id of a staked token.',
  })
  assert.equal(read('Mossy Ridge\t\t25000\t').kind, 'ok', 'empty cells of a table')
})
