import { CopyButton } from './copy.ts'
import { shortId } from './format.ts'
import { h, html, type View } from './html.ts'

/** An id as its first and last characters, whole on hover and on the clipboard. */
export const Id = ({ id, what = 'id' }: { readonly id: string; readonly what?: string }): View =>
  html`<span class="id-copy"><span class="id" title=${id}>${shortId(id)}</span>${h(CopyButton, { text: id, what: `the ${what}` })}</span>`
