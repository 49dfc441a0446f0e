import assert from 'node:assert/strict'
import { readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { readOrCreateSecret, readSecret } from './secrets.ts'

test('a secret is generated once and read again afterwards', async () => {
  await using folder = await tempFolder()
  const data = join(folder.path, 'data')
  const secret = await readOrCreateSecret(data, 'key-pepper')
  assert.match(secret, /^[0-9a-f]{64}$/)
  assert.equal(await readOrCreateSecret(data, 'key-pepper'), secret)
  assert.notEqual(await readOrCreateSecret(data, 'jwt-secret'), secret)
})

test('only the owner may read the file of a secret', {
  skip: process.platform === 'win32' && 'Windows has no modes of files',
}, async () => {
  await using folder = await tempFolder()
  const data = join(folder.path, 'data')
  await readOrCreateSecret(data, 'key-pepper')
  assert.equal((await stat(data)).mode & 0o777, 0o700)
  assert.equal((await stat(join(data, 'key-pepper'))).mode & 0o777, 0o600)
})

test('a given secret is used, and no file is created', async () => {
  await using folder = await tempFolder()
  assert.equal(await readOrCreateSecret(folder.path, 'key-pepper', 'given'), 'given')
  assert.deepEqual(await readdir(folder.path), [])
})

test('reading a missing secret creates no file', async () => {
  await using folder = await tempFolder()
  assert.equal(await readSecret(folder.path, 'key-pepper'), undefined)
  assert.deepEqual(await readdir(folder.path), [])
})

test('concurrent creations return the same secret and leave no other file', async () => {
  await using folder = await tempFolder()
  const secrets = await Promise.all(
    Array.from({ length: 10 }, () => readOrCreateSecret(folder.path, 'key-pepper')),
  )
  assert.equal(new Set(secrets).size, 1)
  assert.deepEqual(await readdir(folder.path), ['key-pepper'])
})

test('a damaged secret is refused and its file left unchanged', async () => {
  await using folder = await tempFolder()
  const file = join(folder.path, 'key-pepper')
  await writeFile(file, 'half')
  await assert.rejects(readOrCreateSecret(folder.path, 'key-pepper'), {
    name: 'Fault',
    message: /key-pepper is damaged/,
  })
  assert.equal(await readFile(file, 'utf8'), 'half')
})

test('a weak secret in a file is refused', async () => {
  await using folder = await tempFolder()
  await writeFile(join(folder.path, 'jwt-secret'), 'a'.repeat(64))
  await assert.rejects(readOrCreateSecret(folder.path, 'jwt-secret'), { message: /can be guessed/ })
})

test('an existing file or link is never replaced', {
  skip: process.platform === 'win32' && 'Windows has no modes of files',
}, async () => {
  await using folder = await tempFolder()
  const file = join(folder.path, 'key-pepper')
  await symlink('elsewhere, not mounted yet', file)
  await assert.rejects(readOrCreateSecret(folder.path, 'key-pepper'), { name: 'Fault' })
  assert.equal(await readlink(file), 'elsewhere, not mounted yet')
})
