import { html, type View } from './html.ts'

/** Names are chosen by third parties: isolated, so that they cannot change the direction of other text, and cut short. */
export const nameText = (name: string): View => html`<bdi class="name" title=${name}>${name}</bdi>`

/** The same for a plain string: isolates the direction of the name by Unicode characters. */
export const isolateName = (name: string): string => `\u2068${name.replaceAll(DIRECTION_MARKS, '')}\u2069`
const DIRECTION_MARKS = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/g

export const validatorLink = ({ id, name }: { readonly id: string; readonly name: string }): View =>
  html`<a href=${`/validators/${id}`}>${nameText(name)}</a>`
