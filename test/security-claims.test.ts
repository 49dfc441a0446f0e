import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DOCS = join(import.meta.dirname, '..', 'docs')
const page = readFileSync(join(DOCS, 'security.md'), 'utf8')
const standards = readFileSync(join(DOCS, 'security-standards.md'), 'utf8')

type Claim = { readonly text: string; readonly tests: string }

/** List items followed by a `Tests:` line. Other items are not claims. */
const claimsIn = (text: string): readonly Claim[] =>
  [...text.matchAll(/^- (.+)\n {2}Tests: (.+)$/gm)].map(([, claim = '', tests = '']) => ({
    text: claim,
    tests,
  }))

const TITLE =
  /\b(?:test\w*|suite)\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>).)*)\k<quote>(?<rest>[^\n]*)/gs

/** The titles of the tests that a file runs: without those in comments and of tests that are always skipped. */
const titlesIn = (source: string): readonly string[] =>
  [...source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '').matchAll(TITLE)].flatMap(({ groups }) =>
    /\b(?:skip|todo): true/.test(groups?.['rest'] ?? '')
      ? []
      : [(groups?.['title'] ?? '').replaceAll("\\'", "'")],
  )

/** Fails unless the claim quotes at least one title for each linked test file, and each quote is in a title of that file. */
function assertShown({ text, tests }: Claim): void {
  const named = [...tests.matchAll(/\]\(([^)]+)\)([^[]*)/g)]
  assert(named.length > 0, `no test shows: ${text}`)
  for (const [, path = '', quotes = ''] of named) {
    const titles = titlesIn(readFileSync(join(DOCS, path), 'utf8'))
    const quoted = [...quotes.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
    assert(quoted.length > 0, `no title of ${path} is named for: ${text}`)
    for (const quote of quoted)
      assert(
        titles.some((title) => title.includes(quote)),
        `${path} has no test “${quote}” that is run`,
      )
  }
}

/** The text between a heading and the next one. */
const below = (heading: string): string => standards.split(`\n## ${heading}\n`)[1]?.split(/^#/m)[0] ?? ''

test('every claim of the pages about security quotes titles of tests that are run', () => {
  const claims = [...claimsIn(page), ...claimsIn(standards)]
  assert(claims.length > 100, String(claims.length))
  for (const claim of claims) assertShown(claim)
})

test('docs/security-standards.md has a claim for every risk of the OWASP API Top 10, and for the chapters of ASVS', () => {
  assert.deepEqual(
    claimsIn(below('OWASP API Top 10')).map(({ text }) => /^\*\*API(\d+):2023 /.exec(text)?.[1]),
    Array.from({ length: 10 }, (_, at) => String(at + 1)),
  )
  assert(claimsIn(below('ASVS 5.0, level 2')).length > 15)
})

test('a title in a comment, or of a skipped test, does not support a claim', () => {
  const source = `// test('a', () => {})\ntest.skip('b', run)\ntest('c', { skip: true }, run)\ntest('d', run)\ntestOnSqlite(\n  'e',\n)`
  assert.deepEqual(titlesIn(source), ['d', 'e'])
})
