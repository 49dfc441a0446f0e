import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servedLinks } from './served-links.ts'

const SERVED = new Set(['limits.md', 'decisions/README.md'])

test('links to served pages are kept; links to other files and pictures become their paths', () => {
  const text =
    'See [limits](limits.md), [why](decisions/), [a test](../test/a.test.ts) ![a curve](images/a.svg)'
  assert.equal(
    servedLinks('allocation.md', text, SERVED),
    'See [limits](limits.md), [why](decisions/README.md), a test (`test/a.test.ts`) a curve (`docs/images/a.svg`)',
  )
})

test('external pictures are kept', () => {
  const text = '![logo](https://example.com/logo.svg)'
  assert.equal(servedLinks('a.md', text, SERVED), text)
})
