import { createHash } from 'node:crypto'
import { ROUTES } from '@stakewright/contract/routes'
import { VERIFY_SCRIPT } from './verify-script.ts'
import { VERIFY_STYLE } from './verify-style.ts'

export type Page = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

const TOKEN = /^[0-9a-f]{64}$/i
/** Relative to the page, so that it works behind a proxy with a path of its own. */
const ACTION = ROUTES.verifyEmail.path.slice(1)

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing but the page's own script and style runs, and it talks to this service alone. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(VERIFY_SCRIPT)}`,
  `style-src ${hashOf(VERIFY_STYLE)}`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Besides those that every answer has: no sniffing, and no Referer, which would carry the token. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
} as const

/**
 * The page that the link in a mail opens. Opening it changes nothing, because mail scanners open links too; its one
 * button does. It works without script as well: then the API's own answer is shown.
 */
export function renderVerifyPage(token: string | undefined): Page {
  if (token === undefined || !TOKEN.test(token))
    return { status: 400, headers: HEADERS, html: layout('This link is not complete', MALFORMED) }
  return { status: 200, headers: HEADERS, html: layout('Activate your key', formFor(token)) }
}

/** `token` is 64 hex digits: nothing in it means anything to HTML. */
function formFor(token: string): string {
  return `<p id="text">One click confirms your e-mail address and switches your API key on.</p>
<form id="form" method="get" action="${ACTION}">
<input type="hidden" name="token" value="${token}">
<button id="button" type="submit">Activate my key</button>
</form>
<p id="status" role="status" tabindex="-1"></p>
<p class="note" id="note">You did not ask for a key? Close this page: without the click nothing happens.</p>`
}

const MALFORMED = `<p>A part of it seems to be missing; some mail programs break long links.</p>
<p>Copy the whole link from the mail into the address bar. It ends with 64 letters and digits after
<code>token=</code>.</p>
<p class="note">Is the mail older than a day? Then register again, or ask for a new mail.</p>`

function layout(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Stakewright</title>
<style>${VERIFY_STYLE}</style>
</head>
<body>
<main>
<p class="brand">Stakewright</p>
<h1 id="title">${title}</h1>
${content}
</main>
<script>${VERIFY_SCRIPT}</script>
</body>
</html>
`
}
