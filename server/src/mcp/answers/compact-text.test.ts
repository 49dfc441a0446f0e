import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer'
import { compactText } from './compact-text.ts'
import { shortenAnswer } from './shorten-answer.ts'

const idOf = (at: number) => `0x${createHash('sha256').update(String(at)).digest('hex')}`

test('a long value equal to the one in the row above becomes a ditto mark', () => {
  const rows = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map((at, index) => ({
    index,
    at,
  }))
  assert.equal(
    compactText({ rows }),
    'rows (3):\n  index | at\n  0 | 2026-01-01T00:00:00Z\n  1 | "\n  2 | 2026-01-02T00:00:00Z',
  )
})

test('a text that equals the ditto mark is quoted', () => {
  assert.equal(compactText({ rows: [{ name: '"' }] }), 'rows (1):\n  name\n  "\\""')
})

test('undefined values are left out, fractions have ten digits, integers all digits', () => {
  assert.equal(compactText({ at: 1_794_787_643_549 }), 'at: 1794787643549')
  assert.equal(compactText({ rows: [{ a: undefined, b: 1 / 3 }] }), 'rows (1):\n  b\n  0.3333333333')
})

test('a transaction stays JSON; the intent below it abbreviates the ids that the transaction contains', () => {
  const [sender, other] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`]
  const transaction = { sender, inputs: [{ Pure: { bytes: 'AA==' } }] }
  assert.equal(
    compactText({ transaction, intent: { sender, validator: other }, intentId: sender }),
    `transaction: ${JSON.stringify(transaction)}\nintent:\n  sender: 0xa1a1a1a1…\n  validator: ${other}\nintentId: ${sender}`,
  )
})

test('ids with equal prefixes are written in full', () => {
  const [one, two] = [`0x${'0'.repeat(63)}5`, `0x${'0'.repeat(63)}6`]
  assert.equal(
    compactText({ commands: [one, two], intent: { sender: one } }),
    `commands: ["${one}","${two}"]\nintent:\n  sender: ${one}`,
  )
})

test('redundant lists are cut first, and counted; the calls of a plan are cut last', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => ({ at, id: idOf(at) }))
  const plan = {
    currentPositions: many(40),
    steps: many(10),
    calls: many(10),
    timeline: many(2),
    explanation: { curves: many(6), rate: 1 },
  }
  const { answer, omitted } = shortenAnswer(plan, { textOf: compactText })
  assert.deepEqual(answer['timeline'], [])
  assert.deepEqual(answer['explanation'], { curves: [], rate: 1 })
  assert.deepEqual(answer['calls'], plan.calls)
  const held = answer['currentPositions'] as typeof plan.currentPositions
  assert.deepEqual(held, plan.currentPositions.slice(0, held.length))
  assert.deepEqual(omitted, { 'explanation.curves': 6, timeline: 2, currentPositions: 40 - held.length })
  assert(countTokens(compactText(answer)) <= 1_500)
  const long = shortenAnswer({ ...plan, calls: many(200) }, { textOf: compactText })
  const calls = long.answer['calls'] as typeof plan.calls
  assert.deepEqual(calls, many(200).slice(0, calls.length))
  assert.equal(long.omitted['calls'], 200 - calls.length)
  assert.deepEqual(long.answer['currentPositions'], [])
})

test('of a history the newest part is kept; the cursor of a cut page continues after the last row shown', () => {
  const data = Array.from({ length: 200 }, (_, at) => ({ epoch: at, note: 'x'.repeat(40) + at }))
  const history = shortenAnswer({ data }, { textOf: compactText }).answer['data'] as typeof data
  assert.deepEqual(history, data.slice(-history.length))
  const part = { items: 'data', rest: 300, cursorAfter: (count: number) => `after ${count}` }
  const page = shortenAnswer({ data, nextCursor: 'after 200' }, { textOf: compactText, part })
  const shown = page.answer['data'] as typeof data
  assert.deepEqual(shown, data.slice(0, shown.length))
  assert.equal(page.answer['nextCursor'], `after ${shown.length}`)
})

test('a list of epochs to which other lists refer by position is not cut', () => {
  const epochs = Array.from({ length: 30 }, (_, at) => at)
  const data = Array.from({ length: 50 }, (_, at) => ({ id: `0x${at}`, apy: epochs.map((one) => one / 7) }))
  const { answer } = shortenAnswer({ epochs, data }, { textOf: compactText })
  assert.deepEqual(answer['epochs'], epochs)
  assert(countTokens(compactText(answer)) <= 1_500)
})

test('an answer within the token budget is returned unchanged', () => {
  const answer = { data: [1, 2], timeline: [{ epoch: 1 }] }
  assert.deepEqual(shortenAnswer(answer, { textOf: compactText }), {
    answer,
    omitted: {},
    documents: { leftOut: [] },
  })
})

test('of a long transaction for a wallet only the JSON of the chain SDK is kept', () => {
  const commands = Array.from({ length: 40 }, (_, at) => ({ kind: 'moveCall', id: `call-${at}`.repeat(9) }))
  const built = { commands, transaction: { version: 2, commands }, intent: { network: 'sui-mainnet' } }
  const { answer, omitted, documents } = shortenAnswer(built, { textOf: compactText })
  assert.deepEqual(Object.keys(answer), ['transaction', 'intent'])
  assert.deepEqual(omitted, { commands: 1 })
  assert.deepEqual(documents, { leftOut: ['commands'], stays: 'transaction' })
  const { transaction: _, ...unsigned } = built
  assert.deepEqual(shortenAnswer(unsigned, { textOf: compactText }).answer, unsigned)
})

test('a transaction above the token limit is left out together with its intent', () => {
  const commands = Array.from({ length: 120 }, (_, at) => ({ kind: 'moveCall', id: `call-${at}`.repeat(9) }))
  const built = { commands, transaction: { commands }, intent: { network: 'sandbox' }, intentId: 'one' }
  for (const given of [built, { commands, intent: built.intent, intentId: 'one' }]) {
    const { answer, omitted, documents } = shortenAnswer(given, { textOf: compactText })
    assert.deepEqual(answer, { intentId: 'one' })
    assert.deepEqual(Object.keys(omitted), documents.leftOut)
    assert.deepEqual([...documents.leftOut, 'intentId'].toSorted(), Object.keys(given).toSorted())
  }
})

test('the summary of a batch is left out if its items contain it, and equal calls are run-length encoded', () => {
  const items = [{ summary: 'Stakes 1.' }, { summary: 'Stakes 2.' }]
  const call = '0x1::system::request_add_stake'
  assert.equal(
    compactText({ items, summary: 'Stakes 1. Stakes 2.', calls: [call, call, 'x', 'x'] }),
    `items (2):\n  summary\n  Stakes 1.\n  Stakes 2.\ncalls: [2 × ${call}, x, x]`,
  )
  assert.match(compactText({ items, summary: 'Another.' }), /summary: Another/)
})

test('of a history nested in another list the newest part is kept; lists of numbers are not cut', () => {
  const epochs = Array.from({ length: 300 }, (_, at) => ({ epoch: at, note: `note ${at}`.repeat(3) }))
  const { answer, omitted } = shortenAnswer({ horizons: [{ epochs }] }, { textOf: compactText })
  const [shown] = answer['horizons'] as readonly [{ readonly epochs: typeof epochs }]
  assert.deepEqual(shown.epochs, epochs.slice(-shown.epochs.length))
  assert.deepEqual(omitted, { 'horizons[0].epochs': 300 - shown.epochs.length })
  const numbers = Array.from({ length: 900 }, (_, at) => at)
  const table = { epochs: numbers, data: [{ id: '0x1', apy: numbers, performed: numbers.map(() => true) }] }
  assert.deepEqual(shortenAnswer(table, { textOf: compactText }).answer, table)
})
