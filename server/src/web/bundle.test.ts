import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleModules } from './bundle.ts'

const PATHS = { main: 'app/main.ts', pages: ['app/pages/a.ts', 'app/pages/b.ts'] }
const CODES: Readonly<Record<string, string>> = {
  'app/main.ts': `import lib, { twice as two } from 'lib'
import * as store from './store.ts'
export const started = [lib, two(2), store.count]
export { two }
`,
  'app/store.ts': `export let count = 1\nexport function add() {\n  count += 1\n}\n`,
  'app/shared.ts': `import './store.ts'\nexport const runs = (globalThis.runs = (globalThis.runs ?? 0) + 1)\n`,
  'app/pages/a.ts': `import { runs } from '../shared.ts'\nimport { add } from '../store.ts'\nadd()\nexport default function PageA() {\n  return ['a', runs]\n}\n`,
  'app/pages/b.ts': `import * as store from '../store.ts'\nimport {\n  runs,\n} from '../shared.ts'\nexport { started as fromMain } from './names.ts'\nexport default () => ['b', runs, store.count]\n`,
  'app/pages/names.ts': `export const started = 'name'\n`,
  'vendor/lib.mjs': `var t=function(n){return 2*n},d=7;export{t as twice,d as default};\n//# sourceMappingURL=lib.mjs.map\n`,
}
const NAMES = { lib: 'vendor/lib.mjs' }
const bundle = (changes: Readonly<Record<string, string>> = {}) =>
  bundleModules(new Map(Object.entries({ ...CODES, ...changes })), NAMES, PATHS)

const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`

test('bundled modules run once each, and their exports are live bindings', async () => {
  const files = bundle()
  assert.deepEqual([...files.keys()], [PATHS.main, ...PATHS.pages])
  const main = asUrl(files.get(PATHS.main) ?? '')
  const { use } = await import(main)
  assert.deepEqual(use('app/main.ts').started, [7, 4, 1])
  assert.equal(use('app/main.ts').two(3), 6)
  const load = async (page: string) =>
    (await import(asUrl((files.get(page) ?? '').replace('../main.ts', main)))).default
  const [a, b] = [await load('app/pages/a.ts'), await load('app/pages/b.ts')]
  assert.deepEqual(
    [a(), b()],
    [
      ['a', 1],
      ['b', 1, 2],
    ],
  )
  assert.equal(use('app/pages/b.ts').fromMain, 'name')
})

test('the file of a page contains no module of the main file', () => {
  assert.doesNotMatch(bundle().get('app/pages/a.ts') ?? '', /define\('app\/store\.ts'/)
})

test('code that cannot be bundled is refused with the path of its module', () => {
  const refused = (changes: Readonly<Record<string, string>>, told: RegExp) =>
    assert.throws(() => bundle(changes), told)
  refused(
    { 'app/store.ts': `import './main.ts'\n` },
    /import each other: app\/main\.ts → app\/store\.ts → app\/main/,
  )
  refused({ 'app/store.ts': `import './gone.ts'\n` }, /app\/store\.ts imports app\/gone\.ts/)
  refused({ 'app/store.ts': `export * from './shared.ts'\n` }, /app\/store\.ts has a line .*export \*/)
  refused({ 'app/store.ts': `export const { a } = {}\n` }, /app\/store\.ts has a line/)
})
