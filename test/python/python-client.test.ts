import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { PYTHON_FILE, pythonModule } from '../../scripts/python/python-module.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { startService } from '../e2e/service-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

test('python/stakewright.py equals what the contract generates', async () => {
  assert(pythonModule() === (await readFile(PYTHON_FILE, 'utf8')), 'run: npm run python')
})

/** `NotRequired` exists from Python 3.11 on. */
const hasPython = spawnSync('python3', ['-c', 'from typing import NotRequired']).status === 0

suite('the Python module', { skip: hasPython ? false : 'no Python 3.11 or newer' }, () => {
  test('passes checks.py against a running service', async () => {
    await using folder = await tempFolder()
    await using service = await startService({ DATA_DIR: folder.path })
    await python(join('test', 'python', 'checks.py'), service.url)
  })

  test('runs examples/tour.py, the tour of the README', async () => {
    await using folder = await tempFolder()
    await using service = await startService({ DATA_DIR: folder.path })
    const { stdout } = await python(join('examples', 'tour.py'), service.url)
    assert.match(
      stdout,
      /^epoch 91, .*\nbest validator: .*\nnetwork in epoch 90: 7\.55% a year\ngot a builder key/,
    )
    assert.match(stdout, /refused: invalid_input: .*\n998 requests left/)
  })
})

/** Runs Python with a minimal environment: without bytecode files in the folder and without this machine's proxies. */
const python = (file: string, url: string) =>
  run('python3', [file, url], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' },
  })
