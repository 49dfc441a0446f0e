import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PAGE = join(import.meta.dirname, '..', 'docs', 'figures.md')

/** What a reader is told of the processor: a column or its head, or a sentence since the heading. */
const PROCESSOR = /processor: (?:not recorded|Intel|Neoverse)|\| processor|\| Intel|\| Neoverse/i

test('every table of figures has the processor on which they were seen, or says that it is not recorded', () => {
  const sections = readFileSync(PAGE, 'utf8').split(/^(?=#{2,3} )/m)
  const tables = sections.flatMap((section) => {
    const blocks = section.split(/\n{2,}/)
    return blocks.flatMap((block, at) =>
      block.startsWith('| ') ? [`${blocks.slice(0, at).join('\n')}\n${block}`] : [],
    )
  })
  assert(tables.length > 12)
  const without = tables.filter((table) => !PROCESSOR.test(table))
  assert.deepEqual(
    without.map((table) => table.split('\n')[0]),
    [],
  )
})
