import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointSpec, ROUTES, toolName } from '@stakewright/contract'
import { NOT_SHOWN, shownName } from './shown-name.ts'

test('every name of the API is shown, and so are similar ones', () => {
  const rows = Object.values<EndpointSpec>(ENDPOINTS)
  const fields = rows.flatMap(({ params, query, body }) =>
    [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {})),
  )
  const tools = (Object.keys(ROUTES) as (keyof typeof ROUTES)[]).map(toolName)
  for (const name of [...fields, ...tools]) {
    for (const near of [name, `${name}s`, name.toLowerCase(), name.replace(/[A-Z]/g, '_$&').toLowerCase()])
      assert.equal(shownName(near), near)
  }
  for (const name of ['max-validators', 'x.y', 'sha256', 'field17', 'v2']) assert.equal(shownName(name), name)
})

test('a text that may be a secret is not shown', () => {
  for (const secret of [
    `stk_${'aB3'.repeat(15)}z`,
    'stk_4fQz8KbW',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'suiprivkey1qzdlfxn2qa2lj5uprl8pyhexs02sg2wrhdy7qaq50cqgnffw4c2477kg9h3',
    'abandon abandon ability able about above absent absorb',
    'JBSWY3DPEHPK3PXP',
    'JBSWYQDPEHPKXPXPQR',
    'k7xw9q2m4v8tbn3c',
    '0x5f3c',
    '123456',
    'qwrtzplkjhgfdsyxcvb',
    'AbXcQwErTyUiOp',
    'BEDVR-QTYYB-FHDDS-GCRE1',
    'bedar-qetyb-fohed-gacre',
    'ann@example.com',
    '',
  ]) {
    assert.equal(shownName(secret), NOT_SHOWN, secret)
  }
})
