import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url).pathname
const isForeign = (path: string): boolean => /node_modules|docs\/images/.test(path)
const files = (...patterns: string[]): readonly string[] =>
  globSync(patterns, { cwd: ROOT }).filter((path) => !isForeign(path))

const SAYING = files(
  '{server,cli,contract,client,verify,web}/src/**/*.ts',
  'examples/*',
  'docs/**/*.md',
  'docs/openapi.json',
  '*.md',
  'python/*.py',
)

function linesWith(paths: readonly string[], pattern: RegExp): readonly string[] {
  return paths.flatMap((path) =>
    readFileSync(`${ROOT}${path}`, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )
}

/** A figure, a space and the sign; a remainder looks alike, but a name and a sign of the language follow it. */
const WITH_SPACE = /[\d}] %(?! \w+[.)\];])/

test('percentages are written in one way by sentences, tables, guides and pages: 3.20%', () => {
  assert(SAYING.length > 500, `${SAYING.length} files were looked at`)
  assert.deepEqual(linesWith(SAYING, WITH_SPACE), [])
})

/** Where each package makes the text of a percentage. Pages leave it to the reader's locale. */
const MAKERS = ['cli/src/render/figures.ts', 'server/src/domain/percent.ts']
const MADE = /\}%/
/** Lengths of styles, and patterns of SQL. */
const NOT_SAID = /width: `|pattern = `%/

test('the text of a percentage is made in one place of each package', () => {
  const sources = files('{server,cli,contract,client,verify,web}/src/**/*.ts')
  const made = linesWith(sources, MADE).filter((line) => !/\.test\.ts:/.test(line) && !NOT_SAID.test(line))
  assert.deepEqual(made.map((line) => line.split(':')[0]).toSorted(), MAKERS, made.join('\n'))
})
