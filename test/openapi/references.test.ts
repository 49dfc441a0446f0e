import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { isCircular, pointedAt, referencesIn } from './references.ts'

test('every $ref of /openapi.json resolves to a schema, and no chain of $refs is circular', async () => {
  await using app = await openTestApp()
  const document: unknown = await (await fetch(`${app.url}/openapi.json`)).json()
  const references = [...new Set(referencesIn(document))]
  assert(references.length > 20, 'the references are found')
  assert.deepEqual(
    references.filter((reference) => pointedAt(document, reference) === undefined),
    [],
    'these lead nowhere',
  )
  assert.deepEqual(
    references.filter((reference) => isCircular(document, reference)),
    [],
    'these lead back to themselves',
  )
})

test('dangling references and circular chains of references are found', () => {
  const document = {
    a: { $ref: '#/b' },
    b: { $ref: '#/a' },
    c: { items: { $ref: '#/c' } },
    d: [{ $ref: '#/x' }],
  }
  assert.deepEqual(referencesIn(document), ['#/b', '#/a', '#/c', '#/x'])
  assert.equal(pointedAt(document, '#/x'), undefined)
  assert.deepEqual(
    ['#/a', '#/b', '#/c'].map((reference) => isCircular(document, reference)),
    [true, true, false],
  )
})
