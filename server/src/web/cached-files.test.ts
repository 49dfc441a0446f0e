import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cachedFiles, idOf } from './cached-files.ts'

const root = mkdtempSync(join(tmpdir(), 'stakewright-kept-'))
after(() => rmSync(root, { recursive: true }))

/** What is served, and how often it was prepared. */
function start(folder: string | undefined, id: string) {
  let prepared = 0
  const prepare = () => {
    prepared += 1
    const bytes = Buffer.from(id)
    return { build: id, files: new Map([['app.css', { contentType: 'text/css', bytes, brotli: bytes }]]) }
  }
  const { build, files } = cachedFiles({ prepare, id, folder })
  assert.equal(build, id)
  const { contentType, bytes } = files.get('app.css') ?? {}
  assert.deepEqual([contentType, Buffer.from(bytes ?? []).toString()], ['text/css', id])
  return prepared
}

test('the same sources are prepared once, and other ones again', () => {
  const folder = join(root, 'same')
  assert.deepEqual(
    [start(folder, 'a'), start(folder, 'a'), start(folder, 'b'), start(folder, 'b')],
    [1, 0, 1, 0],
  )
  assert.equal(readdirSync(folder).length, 1)
})

test('kept files that are damaged are prepared again, and so is what cannot be kept', () => {
  const folder = join(root, 'damaged')
  start(folder, 'a')
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 20)
  assert.deepEqual([start(folder, 'a'), start(folder, 'a')], [1, 0])
  const file = join(root, 'file')
  writeFileSync(file, '')
  assert.deepEqual([start(file, 'a'), start(file, 'a')], [1, 1])
  assert.deepEqual([start(undefined, 'a'), start(undefined, 'a')], [1, 1])
})

test('the id changes with every byte of every file, and with what is said beside them', () => {
  const file = join(root, 'source')
  writeFileSync(file, 'one')
  const first = idOf([file], 'x')
  assert.equal(idOf([file], 'x'), first)
  assert.notEqual(idOf([file], 'y'), first)
  writeFileSync(file, 'two')
  assert.notEqual(idOf([file], 'x'), first)
})
