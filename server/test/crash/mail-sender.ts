/**
 * Queues and delivers mails, and kills itself at `point`: `mail-sender.ts <folder> <smtp url> <now> <point>`.
 * Prints the address of each mail once its commit is acknowledged.
 */
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openSmtpMailer } from '#adapters/mail/smtp-mailer.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { deliverMail } from '#domain/mail/deliver-mail.ts'
import type { Mailer, Outbox } from '#ports/stores/outbox.ts'
import { codeFor } from '../contracts/suites/sample-codes.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { crashSecrets } from './crash-secrets.ts'

const [folder = '', url = '', start = '', point = ''] = process.argv.slice(2)

/** SIGKILL: nothing is finished, flushed or closed. */
function dieAt(here: string): void {
  if (here === point) process.kill(process.pid, 'SIGKILL')
}

function dyingOutbox(outbox: Outbox): Outbox {
  return {
    ...outbox,
    async claim(...claim) {
      const mails = await outbox.claim(...claim)
      if (mails.length > 0) dieAt('claimed')
      return mails
    },
    async delivered(claim) {
      await outbox.delivered(claim)
      dieAt('marked')
    },
  }
}

function dyingMailer(mailer: Mailer): Mailer {
  return {
    async send(letter, deadline) {
      const outcome = await mailer.send(letter, deadline)
      dieAt('sent')
      return outcome
    },
  }
}

const store = await openSqlite(folder)
const now = Number(start)
const deliver = deliverMail({
  outbox: dyingOutbox(sqlOutbox({ db: store.db, secrets: crashSecrets })),
  mailer: dyingMailer(openSmtpMailer({ url, from: 'noreply@stakewright.example' })),
  clock: { now: () => now },
  chance: () => 0,
  pause,
  logger: silentLogger,
})
const codes = sqlSignInCodes({ db: store.db, secrets: crashSecrets })
for (let count = 0; ; count += 1) {
  const address = `mail-${now}-${count}@example.com`
  await codes.issue(codeFor(address, { now }))
  writeSync(1, `${address}\n`)
  dieAt('committed')
  await deliver(AbortSignal.timeout(60_000))
}
