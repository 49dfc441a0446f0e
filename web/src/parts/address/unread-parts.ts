import { html, type View } from '../html.ts'

/** Says which parts of the URL the page could not read, and what it shows instead, or offers an action. */
export const unreadParts = (unread: readonly string[], action: View = null): View =>
  unread.length > 0 &&
  html`<div class="notice" data-tone="attention" role="status" style=${{ marginBottom: '16px' }}><ul>${unread.map((text) => html`<li>${text}</li>`)}</ul>${action}</div>`
