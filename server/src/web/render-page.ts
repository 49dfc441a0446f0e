import { hash } from 'node:crypto'
import { brand, footer, pageLinks } from '@stakewright/web/frame'
import type { PageRow } from '@stakewright/web/pages'
import { htmlText, type Text } from './html-text.ts'
import { ICON_PATH, MAIN_PATH, pagePath, STYLE_PATH, type WebFiles } from './prepare-files.ts'

export type Page = { readonly html: string; readonly policy: string; readonly etag: string }

/** Runs before the first paint, so that the page does not flash in the other theme. */
const EARLY = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

/** The HTML document of a page; preloads the page's module. */
export function renderPage(prepared: WebFiles, page: PageRow): Page {
  const at = (path: string) => `/web/${prepared.build}/${path}`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Staking data, optimal allocations and transaction parameters for automated agents.">
<title>${page.title} · Stakewright</title>
<link rel="icon" href="${at(ICON_PATH)}" type="image/svg+xml">
<link rel="stylesheet" href="${at(STYLE_PATH)}">
<script>${EARLY}</script>
<link rel="modulepreload" href="${at(pagePath(page.module))}">
<script type="module" src="${at(MAIN_PATH)}"></script>
</head>
<body>
<div id="app" data-build="${prepared.build}">${starting(page).text}</div>
</body>
</html>
`
  return {
    html,
    policy: policyFor([EARLY]),
    etag: `"${hash('sha256', html, 'hex').slice(0, 32)}"`,
  }
}

/** Content until the app has loaded and takes these elements over, and without scripts. */
const starting = (page: PageRow): Text =>
  htmlText`<header class="topbar"><div class="topbar-inner">${brand(htmlText)}<nav class="nav" aria-label="Pages">${pageLinks(htmlText, page)}</nav></div></header>
<main id="content" tabindex="-1"><div class="page starting"><div class="page-head"><h1>${page.title}</h1></div>
<p class="starting-soon">Loading …</p>
<p class="starting-late">This takes longer than usual. <a href="">Load the page again</a>; if that does not help, the service may be down.</p>
<noscript><p>This page needs JavaScript. Allow it for this address, then load the page again.</p>
<p>Without it you can use the API, which has everything that these pages show: <a href="/openapi.json">/openapi.json</a> describes it, <a href="/llms.txt">/llms.txt</a> is its guide in plain text, and the README of the service begins with a first call.</p></noscript></div></main>
${footer(htmlText)}`

/** Content-Security-Policy: only resources of this service; the inline script is allowed by its hash. */
function policyFor(inline: readonly string[]): string {
  const hashes = inline.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}
