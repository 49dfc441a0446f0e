import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Mailer } from '#ports/stores/outbox.ts'
import { composeMail, toSender } from './compose-mail.ts'
import { describeSmtpError, isRefusal } from './smtp-errors.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'

type Settings = {
  readonly url: string
  readonly from: string
  /** Timeout of one mail, from connecting to the last reply. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000

/** Sends through an SMTP server, with one connection per mail. Disposing it closes open connections. */
export function openSmtpMailer({ url, from, timeoutMs = TIMEOUT_MS }: Settings): Mailer & AsyncDisposable {
  const sender = toSender(from)
  const server = readSmtpUrl(url)
  const closing = new AbortController()
  return {
    async send(mail, deadline) {
      const message = await composeMail(mail, sender)
      const limit = AbortSignal.any([closing.signal, deadline, AbortSignal.timeout(timeoutMs)])
      try {
        // An explicit envelope, so that headers of the mail cannot add or change a recipient.
        await transmit(server, { from: sender.address, to: [mail.to] }, message, limit)
        return { kind: 'taken' }
      } catch (error) {
        const reason = describeSmtpError(error)
        if (isRefusal(error)) return { kind: 'refused', reason }
        throw new Error(reason, { cause: error })
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
    },
  }
}

type Envelope = { readonly from: string; readonly to: string[] }

/** Resolves when the server has accepted the mail. The connection is closed afterwards in any case. */
async function transmit(
  server: SmtpServer,
  envelope: Envelope,
  message: Buffer,
  limit: AbortSignal,
): Promise<void> {
  limit.throwIfAborted()
  const connection = new SMTPConnection(server.connection)
  const broken = Promise.withResolvers<never>()
  const onLimit = () => broken.reject(limit.reason)
  // Never removed, because a late error without a listener would be an uncaught exception.
  connection.on('error', broken.reject)
  connection.on('end', () => broken.reject(new Error('the mail server has closed the connection')))
  limit.addEventListener('abort', onLimit)
  try {
    await Promise.race([converse(connection, server, envelope, message), broken.promise])
  } finally {
    limit.removeEventListener('abort', onLimit)
    connection.close()
  }
}

async function converse(
  connection: SMTPConnection,
  { login }: SmtpServer,
  envelope: Envelope,
  message: Buffer,
): Promise<void> {
  await finished((done) => connection.connect(done))
  if (login) await finished((done) => connection.login(login, done))
  await finished((done) => connection.send(envelope, message, done))
}

/** nodemailer's callbacks as a promise. */
function finished(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}
