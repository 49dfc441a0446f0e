import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../../test/support/temp-folder.ts'
import { anchorFiles } from './anchor-files.ts'
import { EMPTY_MARK } from './marks.ts'
import { auditSeal } from './seal.ts'

test('a failed write of an anchor leaves no draft file', async () => {
  await using folder = await tempFolder()
  // A folder cannot be replaced by a file.
  const file = join(folder.path, 'anchor.json')
  await mkdir(file)
  const anchor = { at: 0, action: EMPTY_MARK, checkpoint: EMPTY_MARK, ends: { end: EMPTY_MARK } }
  await assert.rejects(anchorFiles([file], auditSeal('a'.repeat(64))).write(anchor))
  assert.deepEqual(await readdir(folder.path), ['anchor.json'])
})
