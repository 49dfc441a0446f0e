import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DOCS = join(import.meta.dirname, '..', 'docs')
/** The rows of the tables that claim something; the others hold figures. */
const rows = readFileSync(join(DOCS, 'security.md'), 'utf8')
  .split(/\n{2,}/)
  .filter((block) => block.startsWith('| what holds'))
  .flatMap((table) => table.trim().split('\n').slice(2))

test('every claim of docs/security.md names tests that exist', () => {
  assert(rows.length > 20)
  for (const row of rows) {
    const [claim = '', shownBy = ''] = row.split(' | ')
    const named = [...shownBy.matchAll(/\]\(([^)]+)\)([^[]*)/g)]
    assert(named.length > 0, `no test shows: ${claim}`)
    for (const [, path = '', titles = ''] of named) {
      const source = readFileSync(join(DOCS, path), 'utf8')
      const quoted = [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
      assert(quoted.length > 0, `no title of ${path} is named for: ${claim}`)
      for (const title of quoted) assert(source.includes(title), `${path} has no test “${title}”`)
    }
  }
})

test('every line of the standards in docs/security.md names test files that exist', () => {
  const lines = readFileSync(join(DOCS, 'security.md'), 'utf8')
    .split(/\n{2,}/)
    .filter((block) => /^\| (OWASP API Top 10|ASVS 5\.0, level 2) /.test(block))
    .flatMap((table) => table.trim().split('\n').slice(2))
  assert.equal(lines.filter((line) => /^\| API\d+:2023 /.test(line)).length, 10)
  assert(lines.length > 20)
  for (const line of lines) {
    const files = [...line.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, path = '']) => path)
    assert(files.length > 0, `no test is named: ${line}`)
    for (const path of files) assert(existsSync(join(DOCS, path)), `${path} does not exist: ${line}`)
  }
})
