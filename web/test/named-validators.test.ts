import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNamed, uniqueNameOf } from '../src/data/validators/named.ts'

const LINES = /[\n\r]/
const VALIDATORS = [
  { id: '0xa1', name: 'Mossy Ridge' },
  { id: '0xb2', name: 'mossy ridge' },
  { id: '0xc3', name: 'Fern Dune' },
  { id: '0xd4', name: '0xc3' },
  { id: '0xe5', name: ' padded ' },
  { id: '0xf6', name: 'two\nlines' },
  { id: '0x17', name: '' },
] as const

test('`uniqueNameOf` gives a text by which `findNamed` finds exactly this validator, whatever the names of others', () => {
  for (const { id } of VALIDATORS)
    assert.deepEqual(findNamed(uniqueNameOf(id, VALIDATORS, LINES), VALIDATORS), { kind: 'one', id })
  assert.equal(uniqueNameOf('0xc3', VALIDATORS, LINES), 'Fern Dune')
})

test('an ambiguous name finds no validator, and an id takes precedence over an equal name', () => {
  assert.deepEqual(findNamed('MOSSY RIDGE', VALIDATORS), { kind: 'several' })
  assert.deepEqual(findNamed('0xC3', VALIDATORS), { kind: 'one', id: '0xc3' })
  assert.deepEqual(findNamed('0x99', VALIDATORS), { kind: 'nobody' })
  assert.deepEqual(findNamed('Fern', VALIDATORS), { kind: 'nobody' })
})
