import { html, type View } from '../parts/html.ts'

export default function Soon(): View {
  return html`<div class="page"><h1>Soon</h1></div>`
}
