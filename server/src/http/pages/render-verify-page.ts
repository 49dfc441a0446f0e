import { ROUTES } from '@stakewright/contract/routes'
import { pagePolicy, renderPage } from './layout.ts'
import { VERIFY_SCRIPT } from './verify-script.ts'

type Page = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

const TOKEN = /^[0-9a-f]{64}$/i
/** Relative, so that it works behind a proxy that adds a path prefix. */
const ACTION = ROUTES.verifyEmail.path.slice(1)

/** In addition to the headers of every answer, such as `referrer-policy`: a Referer would contain the token. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy(VERIFY_SCRIPT),
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
} as const

/**
 * The page that the link in a verification mail opens. Opening it changes nothing, because mail scanners open links,
 * too; its button verifies. Without scripts the button shows the API's answer as JSON.
 */
export function renderVerifyPage(token: string | undefined): Page {
  if (token === undefined || !TOKEN.test(token))
    return { status: 400, headers: HEADERS, html: layout('This link is not complete', MALFORMED) }
  return { status: 200, headers: HEADERS, html: layout('Activate your key', formFor(token)) }
}

/** `token` is 64 hex digits, so it needs no escaping. */
function formFor(token: string): string {
  return `<p id="text">One click confirms your e-mail address and switches your API key on.</p>
<form id="form" method="get" action="${ACTION}">
<input type="hidden" name="token" value="${token}">
<button id="button" type="submit">Activate my key</button>
</form>
<p id="status" role="status" tabindex="-1"></p>
<p class="links" id="next" hidden><a href="docs">What it can ask for</a> <a href="allocate">Try an amount</a> <a href="console">Sign in to manage its keys</a></p>
<p class="note" id="note">You did not ask for a key? Close this page: without the click nothing happens.</p>`
}

const MALFORMED = `<p>A part of it seems to be missing; some mail programs break long links.</p>
<p>Copy the whole link from the mail into the address bar. It ends with 64 letters and digits after
<code>token=</code>.</p>
<p class="note">Is the mail older than a day? Then sign in with the same address and register a new agent.</p>
<p class="links"><a href="console">Sign in to the console</a> <a href="docs">Documentation</a></p>`

const layout = (title: string, content: string): string =>
  renderPage({ title, content, script: VERIFY_SCRIPT })
