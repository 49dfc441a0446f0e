import { renderVerifyPage } from './pages/verify-page.ts'
import type { RouteRow } from './routing.ts'
import type { Handler } from './run-handler.ts'

export const VERIFY_PAGE_PATH = '/verify'

/** The page that the link in a mail opens. */
export function serveVerifyPage({
  serve,
}: {
  readonly serve: (row: RouteRow, handler: Handler) => void
}): void {
  serve({ method: 'GET', path: VERIFY_PAGE_PATH, auth: 'page' }, (inbound) => {
    const { token } = inbound.query()
    const { status, headers, html } = renderVerifyPage(typeof token === 'string' ? token : undefined)
    return { status, headers, body: html }
  })
}
