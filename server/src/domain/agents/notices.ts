import type { Agent, Notice } from '#ports/agents.ts'
import type { Secrets } from '#ports/secrets.ts'
import { mailCapOf } from '../mail/mail-cap.ts'

type Content = { readonly subject: string; readonly lines: readonly string[] }

/**
 * A mail to the owner about what happened to an agent. Only a proven address gets one. It names the agent by its id
 * and the key by its first characters, which nobody can choose: no stranger can write to an owner this way.
 */
export function noticeTo(
  secrets: Pick<Secrets, 'digest'>,
  { owner, identityTier }: Pick<Agent, 'owner' | 'identityTier'>,
  { subject, lines }: Content,
  { mailsPerDay, now }: { readonly mailsPerDay: number; readonly now: number },
): Notice | undefined {
  if (identityTier === 'unverified') return undefined
  return {
    mail: {
      to: owner,
      subject,
      text: [...lines, ''].join('\n\n'),
      html: [
        '<!doctype html>',
        '<html lang="en"><body>',
        ...lines.map((line) => `<p>${line}</p>`),
        '</body></html>',
        '',
      ].join('\n'),
    },
    mailCaps: [mailCapOf(secrets, 'notice', owner, mailsPerDay, now)],
  }
}
