import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../server/test/support/temp-folder.ts'

const PRELOADED = ['--import', new URL('./resolve-once.mjs', import.meta.url).href]

const PROGRAM = {
  'package.json': '{"type":"module","imports":{"#own/*":"./own/*"}}',
  'main.ts': `import { second } from './own/part.ts'
    import { first } from '#own/part.ts'
    import version from 'thing'
    import { version as nested } from './own/deep/uses.ts'
    import again from '../app/own/deep/../part.ts?again'
    import data from './package.json' with { type: 'json' }
    import { createRequire } from 'node:module'
    const required = createRequire(import.meta.url)('thing')
    const isOne: boolean = first === second
    console.log(isOne, version, nested, again === first, data.type, required, (await import('./own/part.ts')).first === first)`,
  'own/part.ts': 'export const first = {}; export const second = first; export default first',
  'own/deep/uses.ts': `import version from 'thing'; import '../part.ts'; export { version }`,
  'own/deep/node_modules/thing/package.json': '{"type":"module","exports":"./index.js"}',
  'own/deep/node_modules/thing/index.js': `import two from './two.js'; export default two`,
  'own/deep/node_modules/thing/two.js': 'export default 2',
  'node_modules/thing/package.json': '{"exports":{"import":"./index.mjs","require":"./index.cjs"}}',
  'node_modules/thing/index.mjs': 'export default 1',
  'node_modules/thing/index.cjs': `module.exports = require('./one')`,
  'node_modules/thing/one.js': `module.exports = 'one'`,
  'lacks.ts': `import './main.ts'; import './not-there.ts'`,
}

test('imports resolve as in Node alone: from other folders, by other export conditions, and to an error if missing', async () => {
  await using folder = await tempFolder()
  const root = join(folder.path, 'app')
  for (const [path, text] of Object.entries(PROGRAM)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [...args, join(root, 'main.ts')], { encoding: 'utf8' })
  assert.equal(run(...PRELOADED), 'true 1 2 false module one true\n')
  assert.equal(run(), run(...PRELOADED))
  const lacking = spawnSync(process.execPath, [...PRELOADED, join(root, 'lacks.ts')], { encoding: 'utf8' })
  assert.equal(lacking.status, 1)
  assert.match(lacking.stderr, /not-there\.ts/)
})
