import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { isAsShown, openShell, readSteps, type Shown, type Step } from './documented-commands.ts'
import { startService } from './service-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Documents use the default address; the test replaces it by that of its own service. */
const DOCUMENTED_URL = 'http://127.0.0.1:3000'
const DOCUMENTS = [
  'README.md',
  'docs/tutorial.md',
  'client/README.md',
  'contract/README.md',
  'verify/README.md',
].filter((file) => existsSync(join(ROOT, file)))

/** Runs every block of commands in the file and compares the output with the documented one. */
async function follow(file: string, dataDir: string, url: string, toShown: (step: Step) => Step['expected']) {
  const { PATH = '', HOME = dataDir } = process.env
  await using shell = openShell({ PATH, HOME, NODE: process.execPath, BASE: url, DATA_DIR: dataDir }, ROOT)
  for (const step of readSteps(await readFile(join(ROOT, file), 'utf8'))) {
    const { line, commands } = step
    const { output, code } = await shell.run(commands.replaceAll(DOCUMENTED_URL, url))
    assert.equal(code, 0, `${file}:${line}: exit code ${code} of\n${commands}\n${output}`)
    const shown = toShown(step)
    if (shown) assert(isAsShown(output, shown), `${file}:${line}: not as shown, but\n${output}`)
  }
}

for (const file of DOCUMENTS) {
  test(`${file}: every command gives the documented output, also when the whole page is followed a second time`, async () => {
    await using folder = await tempFolder()
    await using service = await startService({ DATA_DIR: folder.path })
    await follow(file, folder.path, service.url, ({ expected }) => expected)
    await follow(file, folder.path, service.url, ({ expected }) => expected && withAnyNumbers(expected))
  })
}

/** Epochs have passed and amounts have grown since the first time: only the numbers may differ. */
const withAnyNumbers = ({ kind, output }: Shown): Shown => ({ kind, output: output.replaceAll(/\d+/g, '…') })

suite('the runner', () => {
  const markdown = [
    '```sh',
    'NAME=world',
    'echo "hello $NAME"',
    '```',
    '',
    '```text',
    'hello …',
    '```',
    'text',
    '```console',
    '$ rm -rf /',
    '```',
    '```sh',
    'echo $NAME; false',
    '```',
    'between',
    '```json',
    '{}',
    '```',
  ].join('\n')

  test('reads blocks of commands and the output directly after them, and ignores other blocks', () => {
    const [first, second, ...others] = readSteps(markdown)
    assert.deepEqual(first, {
      line: 2,
      commands: 'NAME=world\necho "hello $NAME"',
      expected: { kind: 'text', output: 'hello …' },
    })
    assert.deepEqual(second, { line: 14, commands: 'echo $NAME; false', expected: undefined })
    assert.deepEqual(others, [])
  })

  test('keeps variables between blocks, and returns output and exit code', async () => {
    await using shell = openShell({ PATH: process.env['PATH'] ?? '' }, ROOT)
    const [first, second] = readSteps(markdown)
    assert.deepEqual(await shell.run(first?.commands ?? ''), { output: 'hello world\n', code: 0 })
    assert.deepEqual(await shell.run(second?.commands ?? ''), { output: 'world\n', code: 1 })
  })

  test('matches any text at …, ignores spaces in JSON, and is exact otherwise', () => {
    const json = (output: string) => ({ kind: 'json', output }) as const
    assert(isAsShown('{"a":[1,2],"b":"x"}', json('{ "a": [1, …], "b": "…" }')))
    assert(!isAsShown('{"a":[1,2],"b":"x"}', json('{ "a": [1, …] }')))
    assert(!isAsShown('{"a":1}', json('{ "a": 2 }')))
    assert(isAsShown('a.b\n', { kind: 'text', output: 'a.b' }))
    assert(!isAsShown('axb', { kind: 'text', output: 'a.b' }))
  })
})
