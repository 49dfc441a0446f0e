import { CopyButton } from './copy.ts'
import { shortId } from './format.ts'
import { h, html, type View } from './html.ts'

type Props = {
  readonly id: string
  readonly what?: string
  /** Shows the whole id where a decision depends on it: an attacker can make two ids alike at both ends. */
  readonly whole?: boolean
}

/** An id as its first and last characters, whole on hover and on the clipboard. */
export const Id = ({ id, what = 'id', whole = false }: Props): View =>
  html`<span class="id-copy" data-whole=${whole}><span class="id" title=${id}>${whole ? id : shortId(id)}</span>${h(CopyButton, { text: id, what: `the ${what}` })}</span>`
