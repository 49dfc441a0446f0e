import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { publishedManifest } from '../../scripts/packages/manifest.ts'
import { findVersions, writeVersion } from '../../scripts/packages/version-places.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'))

test('all files that name the version of the project name the same one', async () => {
  const { version, workspaces } = await read('package.json')
  const found = findVersions(ROOT)
  assert.deepEqual(
    found.filter((place) => place.version !== version),
    [],
  )
  const files = new Set(found.map(({ file }) => file))
  for (const folder of workspaces) assert(files.has(join(folder, 'package.json')), folder)
})

test('writeVersion changes the version in all these files, and nothing else', async () => {
  await using folder = await tempFolder()
  const before = findVersions(ROOT)
  for (const { file } of before) await cp(join(ROOT, file), join(folder.path, file))
  writeVersion(folder.path, '9.8.7')
  const after = findVersions(folder.path)
  assert.deepEqual(
    after,
    before.map(({ file }) => ({ file, version: '9.8.7' })),
  )
  writeVersion(folder.path, (await read('package.json')).version)
  for (const { file } of before)
    assert.equal(
      await readFile(join(folder.path, file), 'utf8'),
      await readFile(join(ROOT, file), 'utf8'),
      file,
    )
  assert.throws(() => writeVersion(folder.path, 'latest'), /three numbers/)
})

test('a published manifest names the repository if it is set, and that of a program has no peer dependencies', async () => {
  const repository = 'https://git.example/owner/name'
  const published = publishedManifest(await read('client/package.json'), {
    folder: 'client',
    kind: 'library',
    repository,
  })
  assert.deepEqual(published.repository, { type: 'git', url: `git+${repository}.git`, directory: 'client' })
  assert.equal(published.homepage, `${repository}#readme`)
  assert.equal(published.bugs, `${repository}/issues`)
  const program = publishedManifest(await read('cli/package.json'), {
    folder: 'cli',
    kind: 'program',
    repository: undefined,
  })
  assert.equal('peerDependencies' in program, false)
  assert.equal('repository' in program, false)
})
