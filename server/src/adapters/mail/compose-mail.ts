import addressparser from 'nodemailer/lib/addressparser'
import type { IdentifiedMail } from '#ports/stores/outbox.ts'

type Sender = { readonly name: string; readonly address: string }

/** nodemailer's composer is half a megabyte of source, so it is imported with the first mail. */
const loadComposer = () => import('nodemailer/lib/mail-composer')

/** Reads `Name <address>` or a bare address. Throws unless it is exactly one. */
export function toSender(text: string): Sender {
  const [sender, ...others] = addressparser(text)
  if (others.length > 0 || !sender?.address || !/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(sender.address))
    throw new TypeError(
      `The sender must be one address such as "Stakewright <noreply@example.com>", not ${text}`,
    )
  return { name: sender.name, address: sender.address }
}

/**
 * The raw message (RFC 5322). Deterministic, including the Message-ID, so that receivers recognise a mail that is sent
 * twice. Composing never reads files or URLs.
 */
export async function composeMail(mail: IdentifiedMail, from: Sender): Promise<Buffer> {
  const { default: MailComposer } = await loadComposer()
  const identity = `${mail.id}.${mail.createdAt}`
  return new MailComposer({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: toTextPart(mail.text),
    html: mail.html,
    date: new Date(mail.createdAt),
    messageId: `<${identity}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // Suppresses automatic replies (RFC 3834), which would confirm that the address exists.
    headers: { 'Auto-Submitted': 'auto-generated' },
    baseBoundary: identity,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

/**
 * Sends ASCII text unencoded (7bit), because quoted-printable would break links for readers of the raw mail. Other
 * characters and long lines need an encoding.
 */
function toTextPart(text: string): string | { raw: string } {
  if (!/^[\n\x20-\x7e]*$/.test(text) || /.{900}/.test(text)) return text
  const headers = ['Content-Type: text/plain; charset=us-ascii', 'Content-Transfer-Encoding: 7bit', '', '']
  return { raw: headers.join('\r\n') + text.replaceAll('\n', '\r\n') }
}
