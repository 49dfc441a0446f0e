import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cachedFiles, idOf } from './cached-files.ts'

const root = mkdtempSync(join(tmpdir(), 'stakewright-kept-'))
after(() => rmSync(root, { recursive: true }))

/** Gets the files and returns how often they were prepared. */
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

test('files of unchanged sources come from the cache; changed sources are prepared again and replace it', () => {
  const folder = join(root, 'same')
  assert.deepEqual(
    [start(folder, 'a'), start(folder, 'a'), start(folder, 'b'), start(folder, 'b')],
    [1, 0, 1, 0],
  )
  assert.equal(readdirSync(folder).length, 1)
})

test('files are prepared again if the cache is damaged, not writable or missing', () => {
  const folder = join(root, 'damaged')
  start(folder, 'a')
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 20)
  assert.deepEqual([start(folder, 'a'), start(folder, 'a')], [1, 0])
  const file = join(root, 'file')
  writeFileSync(file, '')
  assert.deepEqual([start(file, 'a'), start(file, 'a')], [1, 1])
  assert.deepEqual([start(undefined, 'a'), start(undefined, 'a')], [1, 1])
})

test('the id changes with the content of the files and with the additional data', () => {
  const file = join(root, 'source')
  writeFileSync(file, 'one')
  const first = idOf([file], 'x')
  assert.equal(idOf([file], 'x'), first)
  assert.notEqual(idOf([file], 'y'), first)
  writeFileSync(file, 'two')
  assert.notEqual(idOf([file], 'x'), first)
})
