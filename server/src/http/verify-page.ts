import { renderVerifyPage } from './pages/render-verify-page.ts'
import type { HttpServer } from './wire/server.ts'

export const VERIFY_PAGE_PATH = '/verify'

/** Serves the page that the link in a verification mail opens. */
export function serveVerifyPage({ serve }: { readonly serve: HttpServer['serve'] }): void {
  serve({ method: 'GET', path: VERIFY_PAGE_PATH, auth: 'page' }, (request) => {
    const { token } = request.query()
    const { status, headers, html } = renderVerifyPage(typeof token === 'string' ? token : undefined)
    return { status, headers, body: html }
  })
}
