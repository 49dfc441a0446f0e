import type { OutgoingMail } from '#ports/stores/outbox.ts'
import { call } from '../../../fault.ts'
import { escapeHtml } from '../../mail/escape-html.ts'

type Content = {
  readonly to: string
  readonly publicUrl: string
  readonly token: string
  /** The validity of the link. */
  readonly hours: number
}

/**
 * Contains no text of the registrant, so that registering with somebody else's address cannot send them a message.
 */
export function verificationMail({ to, publicUrl, token, hours }: Content): OutgoingMail {
  const link = `${publicUrl}/verify?token=${token}`
  const ask = 'An agent was registered at Stakewright with this e-mail address.'
  const use = `To activate its key, open this link within ${hours} hours and press the button:`
  // Not a link, because mail scanners open links.
  const forPrograms = `A program calls ${call('verifyEmail')} with the token of the link instead.`
  const ignore = 'If it was not you, do nothing: without the link the key stays inactive.'
  return {
    to,
    subject: 'Verify your e-mail address for Stakewright',
    text: [ask, '', use, link, '', forPrograms, '', ignore, ''].join('\n'),
    html: [
      '<!doctype html>',
      '<html lang="en"><body>',
      `<p>${ask}</p>`,
      `<p>${use}</p>`,
      `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
      `<p>${forPrograms}</p>`,
      `<p>${ignore}</p>`,
      '</body></html>',
      '',
    ].join('\n'),
  }
}
