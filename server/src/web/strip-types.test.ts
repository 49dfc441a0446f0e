import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { transform } from 'esbuild'
import { stripTypes } from './strip-types.ts'
import { listWebSources } from './web-sources.ts'

/** A normal form of the program: minified by esbuild, without comments. */
const asProgram = async (code: string) =>
  (await transform(code, { loader: 'js', minifyWhitespace: true, legalComments: 'none' })).code

test('emptying comment lines changes neither the program nor the number of lines, in any file of the web app', async () => {
  const sources = listWebSources().filter(({ path }) => path.endsWith('.ts'))
  assert.ok(sources.length > 100)
  let [before, after] = [0, 0]
  for (const { file, path } of sources) {
    const source = readFileSync(file, 'utf8')
    const [whole, stripped] = [stripTypeScriptTypes(source), stripTypes(source)]
    assert.equal(await asProgram(stripped), await asProgram(whole), path)
    assert.equal(stripped.split('\n').length, source.split('\n').length, path)
    before += whole.length
    after += stripped.length
  }
  assert.ok(after < 0.95 * before)
})

test('text within a line that looks like a comment is kept', () => {
  for (const code of ["const at = 'https://example.test'\n", 'const half = 1 / 2 // of it\n'])
    assert.equal(stripTypes(code), code)
  assert.equal(
    stripTypes('/** One.\n * Two. */\nlet a = 1\n// three\nlet b = 2\n'),
    '\n\nlet a = 1\n\nlet b = 2\n',
  )
})
