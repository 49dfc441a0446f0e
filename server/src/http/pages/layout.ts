import { createHash } from 'node:crypto'
import { PAGE_STYLE } from './page-style.ts'

type Page = {
  readonly title: string
  /** Trusted HTML: it must not contain anything from a request. */
  readonly content: string
  readonly script?: string
  /** Links at the top of the page, as trusted HTML. */
  readonly navigation?: string
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows only the page's own script and style, and connections to this service. */
export function pagePolicy(script?: string): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(PAGE_STYLE)}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const BRAND = `<p class="brand"><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 21h4v-5H8zM14 21h4V11h-4zM20 21h4v-7h-4zM7 23h18v2H7z"/></svg> Stakewright</p>
`

/** A page with one card in the style of the web app, without its scripts or files. */
export function renderPage({ title, content, script, navigation = '' }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Stakewright</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${navigation === '' ? '' : `<header>${BRAND}<nav aria-label="Pages">\n${navigation}\n</nav></header>\n`}<main>
${navigation === '' ? BRAND : ''}<h1 id="title">${title}</h1>
${content}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}
