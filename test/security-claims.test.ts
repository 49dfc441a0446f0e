import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DOCS = join(import.meta.dirname, '..', 'docs')
const blocks = readFileSync(join(DOCS, 'security.md'), 'utf8').split(/\n{2,}/)

/** The rows of the tables whose head begins so; other tables hold figures. */
const rowsOf = (head: RegExp): readonly string[] =>
  blocks.filter((block) => head.test(block)).flatMap((table) => table.trim().split('\n').slice(2))

/** Each test file that the last cell links to has at least one title behind it, and has a test of that name. */
function assertShown(row: string): void {
  const cells = row.replace(/ *\|$/, '').split(' | ')
  const claim = cells.slice(0, -1).join(': ')
  const named = [...(cells.at(-1) ?? '').matchAll(/\]\(([^)]+)\)([^[]*)/g)]
  assert(named.length > 0, `no test shows: ${claim}`)
  for (const [, path = '', titles = ''] of named) {
    const source = readFileSync(join(DOCS, path), 'utf8')
    const quoted = [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
    assert(quoted.length > 0, `no title of ${path} is named for: ${claim}`)
    for (const title of quoted) assert(source.includes(title), `${path} has no test “${title}”`)
  }
}

test('every claim of docs/security.md names tests that exist', () => {
  const rows = rowsOf(/^\| what holds/)
  assert(rows.length > 20)
  for (const row of rows) assertShown(row)
})

test('every line of the standards in docs/security.md names tests that exist', () => {
  const risks = rowsOf(/^\| OWASP API Top 10 /)
  assert.deepEqual(
    risks.map((row) => /^\| API(\d+):2023 /.exec(row)?.[1]),
    Array.from({ length: 10 }, (_, at) => String(at + 1)),
  )
  const chapters = rowsOf(/^\| ASVS 5\.0, level 2 /)
  assert(chapters.length > 15)
  for (const row of [...risks, ...chapters]) assertShown(row)
})
