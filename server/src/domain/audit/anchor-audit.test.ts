import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import { anchorAudit } from './anchor-audit.ts'

const NONE = { no: 0, hash: '' }

/** Instances of one database that share one file, and what they logged. */
function sharedFile() {
  const logged: string[] = []
  const log = (event: string) => void logged.push(event)
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  let file: AuditAnchor | undefined
  let isMarked = false
  const instance = (beforeMissing: () => Promise<void> = async () => {}) =>
    anchorAudit({
      upkeep: {
        anchor: async (at) => ({ at, checkpoint: NONE, action: NONE, ends: {} }),
        holds: async () => true,
        wasAnchored: async () => isMarked,
        async noteAnchored() {
          isMarked = true
        },
      },
      anchors: {
        read: async () => (file ? [file] : []),
        async missing() {
          const found = file ? [] : ['/anchor/audit-anchor.json']
          await beforeMissing()
          return found
        },
        async write(anchor) {
          file = anchor
        },
      },
      clock: { now: () => 1 },
      logger,
    })
  const lose = () => {
    file = undefined
  }
  return { logged, instance, anchor: () => file, lose }
}

test('two instances write the first anchor to one file at once: none is reported as lost', async () => {
  const shared = sharedFile()
  await shared.instance(() => shared.instance()())()
  assert.deepEqual(shared.logged, [])
  assert.equal(shared.anchor()?.since, undefined)
})

test('an instance that starts with the file of others goes on from it; without the file it reports the loss', async () => {
  const shared = sharedFile()
  await shared.instance()()
  await shared.instance()()
  assert.deepEqual(shared.logged, [])
  shared.lose()
  await shared.instance()()
  assert.deepEqual(shared.logged, ['the anchor of the audit log is missing: starting a new one'])
  assert.equal(shared.anchor()?.since, 1)
})
