import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { checkpointText } from '#adapters/sql/audit/checkpoint.ts'
import { jsonLogger } from '#adapters/system/logs/json-logger.ts'
import type { LogFields } from '#ports/logger.ts'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { HOUR_MS } from '../../../../src/durations.ts'
import { silentLogger } from '../../../support/silent-logger.ts'
import { count, type KeptLogs } from './kept-log.ts'

export function signingTests({ open }: KeptLogs): void {
  test('every hour is signed once, with the hash of the checkpoint before, and the line in the log is enough to check it', async () => {
    const lines: LogFields[] = []
    const logger = {
      ...silentLogger,
      info: (event: string, fields: LogFields = {}) => {
        if (event === 'audit checkpoint') lines.push(readLine(jsonLine(event, fields)))
      },
    }
    await using log = await open({ logger })
    await log.sign()
    assert.equal(lines.length, 0)
    for (let hour = 0; hour < 3; hour += 1) {
      for (let batch = 0; batch < 3; batch += 1) {
        await log.addBatch()
        await log.sign()
      }
      log.clock.advance(HOUR_MS)
    }
    const checkpoints = lines.map(toCheckpoint)
    // The first batch of an hour is signed together with the batches since the last checkpoint.
    assert.deepEqual(
      checkpoints.map(({ no, firstSeq, lastSeq }) => [no, firstSeq, lastSeq]),
      [
        [1, 1, 1],
        [2, 2, 4],
        [3, 5, 7],
      ],
    )
    assert.deepEqual(
      checkpoints.map(({ previous }) => previous),
      ['0'.repeat(64), checkpoints[0]?.hash, checkpoints[1]?.hash],
    )
    const key = createPublicKey({
      key: Buffer.from(log.seal.publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    })
    for (const line of lines) {
      const signature = Buffer.from(toCheckpoint(line).signature, 'base64')
      assert(verify(null, Buffer.from(checkpointText(toCheckpoint(line))), key, signature))
    }
    assert.equal((await log.verify()).kind, 'intact')
  })

  test('a checkpoint never spans midnight, so that whole days can be dropped', async () => {
    await using log = await open({ retentionDays: 1 })
    for (const hours of [1, 21, 3, 1, 24]) {
      await log.addBatch()
      log.clock.advance(hours * HOUR_MS)
    }
    await log.sign()
    const signed = await log.store.db
      .selectFrom('audit_checkpoints')
      .select(['first_seq', 'last_seq'])
      .execute()
    assert.deepEqual(
      signed.map(({ first_seq, last_seq }) => [first_seq, last_seq]),
      [
        [1, 3],
        [4, 5],
      ],
    )
    await log.drop()
    assert.equal(await count(log, 'audit_batches'), 2)
  })
}

export function busyLogTest({ open }: KeptLogs): void {
  test('signing ends although the log goes on growing', async () => {
    let signed = 0
    const logger = {
      ...silentLogger,
      info(event: string) {
        if (event === 'audit checkpoint') signed += 1
      },
    }
    await using log = await open({ logger })
    for (let batch = 0; batch < 3; batch += 1) await log.addBatch()
    let isOver = false
    const signing = log.sign().finally(() => {
      isOver = true
    })
    for (let added = 0; !isOver; added += 1) {
      assert(added < 500, 'signing goes on with the batches that are added meanwhile')
      await log.addBatch()
    }
    await signing
    assert.equal(signed, 1)
    assert.equal((await log.verify()).kind, 'intact')
  })
}

/** The line as the service logs it, after the redaction of secrets. */
function jsonLine(event: string, fields: LogFields): string {
  const written: string[] = []
  jsonLogger({ level: 'info', output: { write: (line) => void written.push(line) } }).info(event, fields)
  return written.join('')
}

/** The fields of a logged checkpoint, without the prefix `sha256:` of its hashes. */
function readLine(line: string): LogFields {
  const { level: _level, time: _time, event: _event, ...fields } = JSON.parse(line)
  for (const name of ['root', 'previous', 'hash']) {
    const [mark, hash] = String(fields[name]).split(':')
    assert.equal(mark, 'sha256')
    fields[name] = hash
  }
  return fields
}

/** The job logs the checkpoint as the fields of the line. */
function toCheckpoint(line: LogFields): AuditCheckpoint {
  return line as unknown as AuditCheckpoint
}
