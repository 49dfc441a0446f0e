import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { EXIT } from '../src/exit-codes.ts'

test('the README has every exit code with its meaning', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
    Number(code),
    meaning,
  ])
  assert.deepEqual(
    rows,
    Object.values(EXIT).map(({ code, meaning }) => [code, meaning]),
  )
})
