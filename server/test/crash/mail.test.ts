import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openSmtpMailer } from '#adapters/mail/smtp-mailer.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { deliverMail } from '#domain/mail/deliver-mail.ts'
import { crashRounds } from '../support/repetitions.ts'
import { openSmtpSink } from '../support/services/smtp-sink.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { crashSecrets } from './crash-secrets.ts'
import { linesUntilDeath, startWriter } from './killed-writer.ts'

const START = Date.parse('2026-01-31T12:00:00Z')
/** Longer than a lease: mails that the previous process had claimed are due again. */
const ROUND_MS = 120_000
const POINTS = ['committed', 'claimed', 'sent', 'marked', 'at any time'] as const
const ROUNDS = crashRounds(15)

/** Runs a sender until it dies. Returns the addresses whose mails were acknowledged as queued. */
async function runSender(folder: string, url: string, round: number): Promise<readonly string[]> {
  const point = POINTS[round % POINTS.length] ?? ''
  const args = [folder, url, String(START + round * ROUND_MS), point]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  // At the other points it kills itself.
  const count = point === 'at any time' ? 2 : Number.POSITIVE_INFINITY
  return linesUntilDeath(startWriter('mail-sender.ts', args, env), count)
}

async function deliverTheRest(folder: string, url: string): Promise<void> {
  await using store = await openSqlite(folder)
  await using mailer = openSmtpMailer({ url, from: 'noreply@stakewright.example' })
  const deliver = deliverMail({
    outbox: sqlOutbox({ db: store.db, secrets: crashSecrets }),
    mailer,
    clock: { now: () => START + ROUNDS * ROUND_MS },
    chance: () => 0,
    pause,
    logger: silentLogger,
  })
  await deliver(AbortSignal.timeout(60_000))
}

test(`${ROUNDS} × kill -9 between commit, claim, send and mark: no mail is lost, and at most one per kill is repeated`, async (t) => {
  await using folder = await tempFolder()
  await using sink = await openSmtpSink()
  const queued: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    queued.push(...(await runSender(folder.path, sink.url, round)))
  }
  await deliverTheRest(folder.path, sink.url)
  const messages = Map.groupBy(sink.received, (mail) => mail.to.join())
  const lost = queued.filter((address) => !messages.has(address))
  assert.deepEqual(lost, [])
  const repeated = sink.received.length - messages.size
  t.diagnostic(`${queued.length} mails acknowledged, ${lost.length} lost, ${repeated} repeated`)
  assert(repeated <= ROUNDS, `${repeated} repeated`)
  for (const copies of messages.values()) {
    assert.equal(new Set(copies.map((mail) => mail.message)).size, 1, 'a repeated mail is identical')
  }
})
