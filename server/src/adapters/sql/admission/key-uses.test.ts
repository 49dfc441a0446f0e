import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKeyUses } from './key-uses.ts'

const AT = Date.UTC(2026, 5, 15, 12)

test('the last use of a key is written again from a minute after the written one on, not earlier', () => {
  const uses = openKeyUses()
  const noteAndWrite = (after: number) => {
    uses.note('k', AT + after)
    const written = [...uses.changed()]
    uses.committed()
    return written
  }
  assert.deepEqual(noteAndWrite(0), [['k', AT]])
  assert.deepEqual(noteAndWrite(59_999), [])
  assert.deepEqual(noteAndWrite(60_000), [['k', AT + 60_000]])
  assert.deepEqual(noteAndWrite(119_999), [], 'counted from the written use')
  assert.deepEqual(noteAndWrite(120_000), [['k', AT + 120_000]])
})

test('keys are written independently; after a lost write a use counts as not written', () => {
  const uses = openKeyUses()
  uses.note('k', AT)
  uses.committed()
  uses.note('l', AT + 1)
  assert.deepEqual([...uses.changed()], [['l', AT + 1]])
  uses.forget()
  uses.note('k', AT + 2)
  assert.deepEqual([...uses.changed()], [['k', AT + 2]])
})
