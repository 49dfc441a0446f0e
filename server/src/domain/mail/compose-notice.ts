import type { Secrets } from '#ports/secrets.ts'
import type { Notice, OutgoingMail } from '#ports/stores/outbox.ts'
import { escapeHtml } from './escape-html.ts'
import { mailCapOf } from './mail-cap.ts'
import { NOTICE_KINDS, type NoticeKind } from './notice-kinds.ts'

type Content = {
  readonly to: string
  readonly subject: string
  /** Inserted into the HTML without escaping: no text in them may come from a stranger. */
  readonly lines: readonly string[]
  /** The page to go to, after the lines. */
  readonly link?: string | undefined
}

type Budget = {
  readonly kind: NoticeKind
  /** The key of the budget: the address, or for some kinds the agent. */
  readonly subject: string
  readonly mailsPerDay: number
  readonly now: number
  /** The page that shows events that are no longer mailed. */
  readonly page?: string | undefined
}

/** A mail, and its variant for the last mail of the budget, which says that no more will follow. */
export function composeNotice(
  secrets: Pick<Secrets, 'digest'>,
  content: Content,
  { kind, subject, mailsPerDay, now, page }: Budget,
): Notice {
  const { about, look } = NOTICE_KINDS[kind]
  const ending = `No more mails about ${about} are sent today: there are at most ${mailsPerDay} within 24 hours. ${look}${page === undefined ? '.' : ':'}`
  return {
    mail: toMail(content, []),
    lastMail: toMail(content, page === undefined ? [ending] : [ending, new URL(page)]),
    mailCaps: [mailCapOf(secrets, kind, subject, mailsPerDay, now)],
  }
}

function toMail({ to, subject, lines, link }: Content, ending: readonly (string | URL)[]): OutgoingMail {
  const parts = [...lines, ...(link === undefined ? [] : [new URL(link)]), ...ending]
  const paragraphs = parts.map((part) => `<p>${typeof part === 'string' ? part : anchorTo(part.href)}</p>`)
  return {
    to,
    subject,
    text: [...parts, ''].join('\n\n'),
    html: ['<!doctype html>', '<html lang="en"><body>', ...paragraphs, '</body></html>', ''].join('\n'),
  }
}

const anchorTo = (link: string): string => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
