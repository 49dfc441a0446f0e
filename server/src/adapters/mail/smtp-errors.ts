/** The parts of nodemailer's error. */
type SmtpFailure = {
  readonly code: string | undefined
  readonly command: string | undefined
  /** The server's reply code, such as `550`. */
  readonly reply: string | undefined
  /** The enhanced status code, such as `5.1.1`, if the server sends one. */
  readonly status: string | undefined
}

/** Permanent failures of the recipient. All other failures are retried. */
const NO_SUCH_MAILBOX = { replies: ['550', '551', '553'], status: /^5\.[12]\./ }

export function isRefusal(error: unknown): boolean {
  const { command, reply, status } = readFailure(error)
  if (command !== 'RCPT TO' || !reply?.startsWith('5')) return false
  return status ? NO_SUCH_MAILBOX.status.test(status) : NO_SUCH_MAILBOX.replies.includes(reply)
}

/** For the log. Without the server's text, which may repeat the address or a part of the mail. */
export function describeSmtpError(error: unknown): string {
  if (error instanceof DOMException)
    return error.name === 'TimeoutError' ? 'the mail server did not answer in time' : 'sending was aborted'
  const { code, command, reply, status } = readFailure(error)
  if (reply) return `the mail server answered ${[reply, status].filter(Boolean).join(' ')} to ${command}`
  return `the mail server cannot be reached or closed the connection (${[code, command].filter(Boolean).join(', ')})`
}

function readFailure(error: unknown): SmtpFailure {
  const fields = new Map(Object.entries(error instanceof Error ? error : {}))
  const textOf = (name: string) => {
    const value: unknown = fields.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const [, reply, status] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/.exec(textOf('response') ?? '') ?? []
  return { code: textOf('code'), command: textOf('command'), reply, status }
}
