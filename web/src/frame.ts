import { PAGES, type PageRow } from './pages.ts'

/** A template tag that makes elements in the app, or text on the server, which sends this frame before the app loads. */
type Html<T> = (strings: TemplateStringsArray, ...values: unknown[]) => T

const NAVIGATION: readonly PageRow[] = PAGES

export const brand = <T>(html: Html<T>): T =>
  html`<a class="brand" href="/" aria-label="Stakewright, overview"><svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><path d="M8 21h4v-5H8zM14 21h4V11h-4zM20 21h4v-7h-4z" fill="var(--accent-ink)"/><path d="M7 24h18" stroke="var(--accent-ink)" stroke-width="2" stroke-linecap="round"/></svg><span>Stakewright</span></a>`

/** The links of the navigation; the link of the page `shown` is marked. `after` is appended to a name. */
export const pageLinks = <T>(
  html: Html<T>,
  shown: PageRow | undefined,
  after: (page: PageRow) => unknown = () => undefined,
): readonly T[] =>
  NAVIGATION.filter(({ nav }) => nav).map(
    (page) =>
      html`<a href=${page.path} aria-current=${isUnder(shown, page) ? 'page' : undefined}>${page.nav}${after(page)}</a>`,
  )

function isUnder(shown: PageRow | undefined, page: PageRow): boolean {
  const path = shown?.under ?? shown?.path
  return page.path === '/' ? path === '/' : path?.startsWith(page.path) === true
}

export const footer = <T>(html: Html<T>): T =>
  html`<footer class="footer"><div class="footer-inner"><span>Stakewright builds and explains; it never signs and never holds a key to your stake.</span><a href="/docs">API reference</a><a href="/openapi.json">OpenAPI</a><a href="/score">How the score is made</a><a href="/accuracy">How good the projections are</a></div></footer>`
