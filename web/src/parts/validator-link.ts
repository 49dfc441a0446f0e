import { html, type View } from './html.ts'

/** Names are chosen by strangers: shown as text, kept from changing the direction of what follows, and cut short. */
export const nameText = (name: string): View => html`<bdi class="name" title=${name}>${name}</bdi>`

/** The same within a sentence that is a string: what a name does to the direction of text ends with it. */
export const isolateName = (name: string): string => `\u2068${name.replaceAll(TURNS, '')}\u2069`
const TURNS = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/g

export const validatorLink = ({ id, name }: { readonly id: string; readonly name: string }): View =>
  html`<a href=${`/validators/${id}`}>${nameText(name)}</a>`
