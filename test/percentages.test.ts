import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url).pathname
const isForeign = (path: string): boolean => /node_modules|docs\/images/.test(path)
const files = (...patterns: string[]): readonly string[] =>
  globSync(patterns, { cwd: ROOT }).filter((path) => !isForeign(path))

const TEXTS = files(
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

/** A figure, a space and a percent sign, but not the remainder operator, which is followed by a name and punctuation. */
const WITH_SPACE = /[\d}] %(?! \w+[.)\];])/

test('sentences, tables, guides and pages write percentages without a space: 3.20%', () => {
  assert(TEXTS.length > 500, `${TEXTS.length} files were searched`)
  assert.deepEqual(linesWith(TEXTS, WITH_SPACE), [])
})

/** The formatter of each package. The web app uses the locale of the browser instead. */
const FORMATTERS = ['cli/src/render/figures.ts', 'server/src/domain/percent.ts']
const FORMATTED = /\}%/
/** CSS lengths and SQL patterns. */
const NOT_A_PERCENTAGE = /width: `|pattern = `%/

test('each package formats percentages in one file', () => {
  const sources = files('{server,cli,contract,client,verify,web}/src/**/*.ts')
  const found = linesWith(sources, FORMATTED).filter(
    (line) => !/\.test\.ts:/.test(line) && !NOT_A_PERCENTAGE.test(line),
  )
  assert.deepEqual(found.map((line) => line.split(':')[0]).toSorted(), FORMATTERS, found.join('\n'))
})
