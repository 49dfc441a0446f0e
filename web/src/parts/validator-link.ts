import { html, type View } from './html.ts'

/** Names are chosen by strangers: shown as text, kept from changing the direction of what follows, and cut short. */
export const nameText = (name: string): View => html`<bdi class="name" title=${name}>${name}</bdi>`

export const validatorLink = ({ id, name }: { readonly id: string; readonly name: string }): View =>
  html`<a href=${`/validators/${id}`}>${nameText(name)}</a>`
