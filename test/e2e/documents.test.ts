import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { tempFolder } from '../../server/test/temp-folder.ts'
import { isAsShown, openShell, readSteps } from './documented-commands.ts'
import { startService } from './service-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Readers have the service at its default address; here it has a port of its own. */
const DOCUMENTED_URL = 'http://127.0.0.1:3000'
const DOCUMENTS = ['README.md', 'docs/tutorial.md'].filter((file) => existsSync(join(ROOT, file)))

/** Runs every block of the file against a service of its own, and compares what is printed with what is shown. */
async function follow(file: string): Promise<number> {
  await using folder = await tempFolder()
  await using service = await startService({ DATA_DIR: folder.path })
  const { PATH = '', HOME = folder.path } = process.env
  await using shell = openShell({ PATH, HOME, BASE: service.url, DATA_DIR: folder.path }, ROOT)
  const steps = readSteps(await readFile(join(ROOT, file), 'utf8'))
  for (const { line, commands, expected } of steps) {
    const { output, code } = await shell.run(commands.replaceAll(DOCUMENTED_URL, service.url))
    assert.equal(code, 0, `${file}:${line}: exit code ${code} of\n${commands}\n${output}`)
    if (expected) assert(isAsShown(output, expected), `${file}:${line}: not as shown, but\n${output}`)
  }
  return steps.length
}

for (const file of DOCUMENTS) {
  test(`${file}: every command does what is shown`, async () => {
    await follow(file)
  })
}

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

  test('finds the commands and the output right behind them, and nothing else', () => {
    const [first, second, ...others] = readSteps(markdown)
    assert.deepEqual(first, {
      line: 2,
      commands: 'NAME=world\necho "hello $NAME"',
      expected: { kind: 'text', output: 'hello …' },
    })
    assert.deepEqual(second, { line: 14, commands: 'echo $NAME; false', expected: undefined })
    assert.deepEqual(others, [])
  })

  test('keeps variables from block to block, and tells output and exit code', async () => {
    await using shell = openShell({ PATH: process.env['PATH'] ?? '' }, ROOT)
    const [first, second] = readSteps(markdown)
    assert.deepEqual(await shell.run(first?.commands ?? ''), { output: 'hello world\n', code: 0 })
    assert.deepEqual(await shell.run(second?.commands ?? ''), { output: 'world\n', code: 1 })
  })

  test('takes … for anything, spaces in JSON for nothing, and nothing else for granted', () => {
    const json = (output: string) => ({ kind: 'json', output }) as const
    assert(isAsShown('{"a":[1,2],"b":"x"}', json('{ "a": [1, …], "b": "…" }')))
    assert(!isAsShown('{"a":[1,2],"b":"x"}', json('{ "a": [1, …] }')))
    assert(!isAsShown('{"a":1}', json('{ "a": 2 }')))
    assert(isAsShown('a.b\n', { kind: 'text', output: 'a.b' }))
    assert(!isAsShown('axb', { kind: 'text', output: 'a.b' }))
  })
})
