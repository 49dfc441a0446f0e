import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import type { IdentifiedMail } from '#ports/stores/outbox.ts'
import { silentLogger } from '../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { fileMailer } from './file-mailer.ts'

const FROM = 'noreply@stakewright.example'
const TOKEN = 'beef'.repeat(16)
const LETTER: IdentifiedMail = {
  id: 12,
  createdAt: Date.parse('2026-01-31T12:00:00.123Z'),
  to: 'agent@example.com',
  subject: 'Confirm',
  text: `https://stakewright.example/verify?token=${TOKEN}\n`,
  html: '<p>Hello</p>',
}
const never = new AbortController().signal

test('each mail is written to a file that only its owner may read, named by time and id', async () => {
  await using parent = await tempFolder()
  const folder = join(parent.path, 'outbox')
  const mailer = fileMailer({ folder, from: FROM, logger: silentLogger })
  assert.deepEqual(await mailer.send(LETTER, never), { kind: 'taken' })
  await mailer.send({ ...LETTER, id: 13 }, never)
  await mailer.send({ ...LETTER, id: 2, createdAt: LETTER.createdAt + 1 }, never)
  assert.deepEqual((await readdir(folder)).sort(), [
    '20260131T120000123Z-000012.eml',
    '20260131T120000123Z-000013.eml',
    '20260131T120000124Z-000002.eml',
  ])
  const file = join(folder, '20260131T120000123Z-000012.eml')
  assert((await readFile(file, 'utf8')).includes(LETTER.text.trim()), 'the link can be copied from the file')
  if (process.platform === 'win32') return
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
})

test('a mail that is sent again gives the same file, byte for byte', async () => {
  await using folder = await tempFolder()
  const mailer = fileMailer({ folder: folder.path, from: FROM, logger: silentLogger })
  await mailer.send(LETTER, never)
  const [name = ''] = await readdir(folder.path)
  const before = await readFile(join(folder.path, name))
  await mailer.send(LETTER, never)
  assert.deepEqual(await readdir(folder.path), [name])
  assert.deepEqual(await readFile(join(folder.path, name)), before)
})

test('the log contains the path of the mail, and nothing of its content', async () => {
  await using folder = await tempFolder()
  const lines: string[] = []
  const logger: Logger = { ...silentLogger, info: (...line) => lines.push(JSON.stringify(line)) }
  await fileMailer({ folder: folder.path, from: FROM, logger }).send(LETTER, never)
  assert.equal(lines.length, 1)
  assert(lines[0]?.includes(folder.path))
  for (const secret of [TOKEN, LETTER.to, LETTER.subject]) assert(!lines[0]?.includes(secret))
})

test('send throws if the folder cannot be created, so that the mail is retried', async () => {
  await using folder = await tempFolder()
  const mailer = fileMailer({ folder: folder.path, from: FROM, logger: silentLogger })
  await mailer.send(LETTER, never)
  const [name = ''] = await readdir(folder.path)
  const blocked = fileMailer({ folder: join(folder.path, name), from: FROM, logger: silentLogger })
  await assert.rejects(blocked.send(LETTER, never))
})

for (const from of ['', 'nobody', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com']) {
  test(`a sender must be one address: ${JSON.stringify(from)} is refused at the start`, () => {
    assert.throws(() => fileMailer({ folder: '/nowhere', from, logger: silentLogger }), TypeError)
  })
}
