import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findViolations } from './architecture/find-violations.ts'
import { edgesOf, type Package } from './architecture/module-graph.ts'
import { readSource } from './architecture/read-source.ts'
import { findUnusedExports } from './architecture/unused-exports.ts'

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = ['contract', 'client', 'verify', 'server', 'cli', 'web']
const FOLDERS = [...PACKAGES, 'test', 'scripts', 'bench', 'examples']

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const packages = PACKAGES.map(
  (folder): Package => ({ folder, ...JSON.parse(read(`${folder}/package.json`)) }),
)
const files = globSync(`{${FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map(
  (path) => path.replaceAll('\\', '/'),
)

const sources = files.map((path) => readSource(path, read(path)))

test('every file follows the architecture rules', () => {
  assert(files.length > 10, 'the files of the workspace are found')
  const violations = findViolations(sources, packages)
  assert(violations.length === 0, `\n\n${violations.join('\n')}\n\ndocs/architecture.md tells the plan.\n`)
})

test('every export of the service, the web app and the command line is used by another file that is not a test', () => {
  assert.deepEqual(findUnusedExports(sources, edgesOf(sources, packages)), [])
  const unused = readSource('cli/src/a.ts', 'export const one = 1\nexport type Two = 2')
  const importer = readSource('cli/src/b.ts', "import { one } from './a.ts'")
  assert.deepEqual(findUnusedExports([unused, importer], edgesOf([unused, importer], packages)), [
    'cli/src/a.ts:2 exports Two, which no file imports. Do not export it.',
  ])
  const tested = readSource(
    'cli/src/a.ts',
    'export const one = 1\nexport const two = 2 + three\nexport const three = 3',
  )
  const tests = readSource('cli/src/a.test.ts', "import { one, two, three } from './a.ts'")
  const user = readSource('cli/src/b.ts', "import { two } from './a.ts'")
  const all = [tested, tests, user]
  assert.deepEqual(findUnusedExports(all, edgesOf(all, packages)), [
    'cli/src/a.ts:1 exports one, which only tests and tools use. Move it to them.',
  ])
})

test('no folder has more than 20 files of its own', () => {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts]
    .filter(([, count]) => count > 20)
    .map(([folder, count]) => `${folder}: ${count}`)
  assert.deepEqual(crowded, [], 'Group the files of a crowded folder by what they are for.')
})
