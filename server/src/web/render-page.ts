import { hash } from 'node:crypto'
import { ICON_PATH, MAIN_PATH, pagePath, STYLE_PATH, type WebFiles } from './prepare-files.ts'

export type Page = { readonly html: string; readonly policy: string; readonly etag: string }

/** Runs before the first paint: a chosen theme must not flash the other one. */
const EARLY = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`

/** The one document of the web app. `module` is the page's own module, fetched together with the rest. */
export function renderPage(prepared: WebFiles, module: string, title: string): Page {
  const at = (path: string) => `/web/${prepared.build}/${path}`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Staking data, optimal allocations and transaction parameters for automated agents.">
<title>${title}</title>
<link rel="icon" href="${at(ICON_PATH)}" type="image/svg+xml">
<link rel="stylesheet" href="${at(STYLE_PATH)}">
<script>${EARLY}</script>
<link rel="modulepreload" href="${at(pagePath(module))}">
<script type="module" src="${at(MAIN_PATH)}"></script>
</head>
<body>
<div id="app" data-build="${prepared.build}"></div>
<noscript><p class="noscript">This page needs JavaScript. Everything it shows is also in the API: <a href="/openapi.json">/openapi.json</a>.</p></noscript>
</body>
</html>
`
  return {
    html,
    policy: policyFor([EARLY]),
    etag: `"${hash('sha256', html, 'hex').slice(0, 32)}"`,
  }
}

/** Everything comes from this service; the inline script is admitted by its hash. */
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
