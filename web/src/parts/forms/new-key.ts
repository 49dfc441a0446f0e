import { CopyButton } from '../copy.ts'
import { focusOnce, focusTitle } from '../focus.ts'
import { h, html, type View } from '../html.ts'

/** A key that is shown this once. */
export const newKey = (
  apiKey: string,
  note: View,
  done: () => void,
): View => html`<div class="card stack new-key" role="status" tabindex="-1" ref=${focusOnce}>
  <h2>Your new key</h2>
  <p class="row"><code class="key-text">${apiKey}</code>${h(CopyButton, { text: apiKey, what: 'the key' })}</p>
  <p class="small soft">${note}</p>
  <div><button type="button" class="button" onClick=${() => {
    done()
    requestAnimationFrame(focusTitle)
  }}>I have stored it</button></div></div>`
