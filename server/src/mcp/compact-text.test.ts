import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactText } from './compact-text.ts'
import { shortenAnswer } from './shorten-answer.ts'

test('a long value that repeats in the row below is written once', () => {
  const rows = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map((at, index) => ({
    index,
    at,
  }))
  assert.equal(
    compactText({ rows }),
    'rows (3):\n  index | at\n  0 | 2026-01-01T00:00:00Z\n  1 | "\n  2 | 2026-01-02T00:00:00Z',
  )
})

test('a text that looks like the mark for a repetition is quoted', () => {
  assert.equal(compactText({ rows: [{ name: '"' }] }), 'rows (1):\n  name\n  "\\""')
})

test('what is not there is no value, fractions have ten digits, whole numbers all', () => {
  assert.equal(compactText({ at: 1_794_787_643_549 }), 'at: 1794787643549')
  assert.equal(compactText({ rows: [{ a: undefined, b: 1 / 3 }] }), 'rows (1):\n  b\n  0.3333333333')
})

test('a transaction is JSON that can be handed on; what is compared with it names its ids by their beginning', () => {
  const [sender, other] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`]
  const transaction = { sender, inputs: [{ Pure: { bytes: 'AA==' } }] }
  assert.equal(
    compactText({ transaction, intent: { sender, validator: other }, intentId: sender }),
    `transaction: ${JSON.stringify(transaction)}\nintent:\n  sender: 0xa1a1a1a1…\n  validator: ${other}\nintentId: ${sender}`,
  )
})

test('an id whose beginning another one shares is written in full', () => {
  const [one, two] = [`0x${'0'.repeat(63)}5`, `0x${'0'.repeat(63)}6`]
  assert.equal(
    compactText({ commands: [one, two], intent: { sender: one } }),
    `commands: ["${one}","${two}"]\nintent:\n  sender: ${one}`,
  )
})

test('what is drawn or stands in other words is left out as a whole, and counted', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => ({ at, id: 'x'.repeat(60) + at }))
  const plan = {
    steps: many(10),
    calls: many(40),
    timeline: many(2),
    explanation: { curves: many(6), rate: 1 },
  }
  const { answer, omitted } = shortenAnswer(plan, compactText)
  assert.deepEqual(answer['timeline'], [])
  assert.deepEqual(answer['explanation'], { curves: [], rate: 1 })
  assert.deepEqual(answer['steps'], plan.steps)
  assert.deepEqual(answer['calls'], [])
  assert.deepEqual(omitted, { 'explanation.curves': 6, timeline: 2, calls: 40 })
  assert(compactText(answer).length <= 2_700)
})

test('of a history the newest part stays, and a cut page has no cursor that leads behind its rows', () => {
  const data = Array.from({ length: 200 }, (_, at) => ({ epoch: at, note: 'x'.repeat(40) + at }))
  const { answer } = shortenAnswer({ data, nextCursor: 'behind' }, compactText)
  const shown = answer['data'] as typeof data
  assert.deepEqual(shown, data.slice(-shown.length))
  assert(!('nextCursor' in answer))
})

test('epochs that other lists are read by stay whole', () => {
  const epochs = Array.from({ length: 30 }, (_, at) => at)
  const data = Array.from({ length: 50 }, (_, at) => ({ id: `0x${at}`, apy: epochs.map((one) => one / 7) }))
  const { answer } = shortenAnswer({ epochs, data }, compactText)
  assert.deepEqual(answer['epochs'], epochs)
  assert(compactText(answer).length <= 2_700)
})

test('a small answer stays whole', () => {
  const answer = { data: [1, 2], timeline: [{ epoch: 1 }] }
  assert.deepEqual(shortenAnswer(answer, compactText), { answer, omitted: {} })
})

test('of a long transaction that a wallet signs, the JSON of the chain stays', () => {
  const commands = Array.from({ length: 40 }, (_, at) => ({ kind: 'moveCall', id: `call-${at}`.repeat(9) }))
  const built = { commands, transaction: { version: 2, commands }, intent: { network: 'sui-mainnet' } }
  const { answer, omitted, leftOut } = shortenAnswer(built, compactText)
  assert.deepEqual(Object.keys(answer), ['transaction', 'intent'])
  assert.deepEqual(omitted, { commands: 1 })
  assert.deepEqual(leftOut, { document: 'commands', stays: 'transaction' })
  const { transaction: _, ...unsigned } = built
  assert.deepEqual(shortenAnswer(unsigned, compactText), { answer: unsigned, omitted: {} })
})
