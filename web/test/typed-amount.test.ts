import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePositions } from '../src/data/positions-text.ts'
import type { Network, Validator } from '../src/data/queries.ts'
import { readTokens, tokensAsInput } from '../src/parts/typed/amount.ts'
import { signsOf } from '../src/parts/typed/number.ts'

const LOCALES =
  'en-US de-DE de-CH fr-FR fr-CH es-ES pt-BR pl-PL sv-SE en-IN hi-IN mr-IN en-ZA ja-JP he-IL ar-EG fa-IR bn-BD'.split(
    ' ',
  )
const DECIMALS = 9

test('an amount is read to the last unit as every locale writes it, grouped or not', () => {
  for (const locale of LOCALES) {
    const signs = signsOf([locale])
    const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: DECIMALS })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        const unit = 10n ** BigInt(DECIMALS)
        const exact = `${amount / unit}.${(amount % unit).toString().padStart(DECIMALS, '0')}`
        for (const text of [grouped.format(toNumeric(exact)), tokensAsInput(amount, DECIMALS, signs)]) {
          const read = readTokens(text, DECIMALS, signs)
          assert(read.kind === 'amount' && read.amount === amount, `${locale}: ${text}`)
        }
      }),
      { numRuns: 30 },
    )
  }
})

/** Digits with a point: `Intl` writes them as they are, without rounding to a `number`. */
const toNumeric = (text: string) => text as Intl.StringNumericLiteral

/** What is read where, in tokens; marked where another locale would read it otherwise. */
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
  ['en-IN', '12,34,567.5', '1234567.5', 'clear'],
  ['ar-EG', '١٬٥٠٠٫٢٥', '1500.25', 'clear'],
  ['ar-EG', '1500', '1500', 'clear'],
] as const

test('the locale decides what points and commas mean, and what others would read otherwise is marked', () => {
  for (const [locale, text, tokens, doubt] of READ) {
    const read = readTokens(text, DECIMALS, signsOf([locale]))
    assert.deepEqual(
      read.kind === 'amount' && [tokensAsInput(read.amount, DECIMALS, signsOf(['en-US'])), read.isDoubtful],
      [tokens, doubt === 'doubtful'],
      `${locale}: ${text}`,
    )
  }
})

const REFUSED = [
  ['en-US', '1,5', 'Write 1.5: “.” is the decimal sign here.'],
  ['de-DE', '1.5', 'Write 1,5: “,” is the decimal sign here.'],
  ['fr-FR', '1.500', 'Write 1,500 or 1500: “,” is the decimal sign here.'],
  ['de-DE', '1,5,0', 'Write an amount such as 2500,5, with at most 9 decimals.'],
  ['en-US', '12,34,567', 'Write an amount such as 2500.5, with at most 9 decimals.'],
  ['en-US', '0.1234567891', 'Write an amount such as 2500.5, with at most 9 decimals.'],
  ['en-US', '1e3', 'Write an amount such as 2500.5, with at most 9 decimals.'],
  ['en-US', '-1', 'Write an amount such as 2500.5, with at most 9 decimals.'],
  ['en-US', '', 'Write an amount such as 2500.5, with at most 9 decimals.'],
] as const

test('what the locale does not write is refused, with what to write instead', () => {
  for (const [locale, text, problem] of REFUSED)
    assert.deepEqual(readTokens(text, DECIMALS, signsOf([locale])), { kind: 'problem', text: problem })
})

test('the commas of an amount in a line of positions stay in the amount', () => {
  const id = `0x${'1'.repeat(64)}`
  // A position needs no more of a validator and of a network.
  const validators = [{ id, name: 'Mossy Ridge' }] as unknown as readonly Validator[]
  const network = { decimals: DECIMALS } as unknown as Network
  for (const line of ['Mossy Ridge, 25,000.5', 'mossy ridge; 25 000.5; 0xabc', `${id}\t25000.5`]) {
    const parsed = parsePositions(line, validators, network)
    assert(parsed.kind === 'ok', JSON.stringify(parsed))
    assert.equal(parsed.positions[0]?.principal, '25000500000000')
  }
  assert.deepEqual(parsePositions('Mossy Ridge, 1,5', validators, network), {
    kind: 'problem',
    text: 'Line 1: write 1.5: “.” is the decimal sign here.',
  })
  assert.deepEqual(parsePositions('mossy ridge 1,000,000', validators, network), {
    kind: 'problem',
    text: 'Line 1: write “,” after the name: Mossy Ridge, 1,000,000',
  })
})
