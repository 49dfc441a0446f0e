import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedAgent } from './named-agent.ts'

test('a mail names an agent by its name and id', () => {
  for (const name of ['x', 'yield-scout', 'Scout 2_b', 'bot-2026', 'a'.repeat(40)])
    assert.equal(namedAgent({ id: 'agt_1', name }), `"${name}" (agt_1)`)
})

test('a mail names an agent by its id alone if the name could be a link, markup, or long text', () => {
  const names = [
    'evil.example',
    'http://evil',
    'evil/x',
    'ann@evil',
    'tel:1',
    'Call 555 01-23',
    '<b>',
    '"',
    '&amp;',
    'é',
    ' x',
    'x-',
    'a'.repeat(41),
  ]
  for (const name of names) assert.equal(namedAgent({ id: 'agt_1', name }), 'agt_1', name)
})
