import { dropUnstored, useUnstoredKey } from '../../data/account/unstored-keys.ts'
import { CopyButton } from '../copy.ts'
import { focusOnce, showTitle } from '../focus.ts'
import { h, html, type View } from '../html.ts'

type Props = {
  /** The place where the key was created, as in `keepUnstored`. */
  readonly place: string
  readonly note: View
}

/** A new key, shown once. It stays, even if other pages are visited, until the user confirms to have stored it. */
export function NewKeyCard({ place, note }: Props): View {
  const apiKey = useUnstoredKey(place)?.apiKey
  if (apiKey === undefined) return null
  const done = () => {
    dropUnstored(place)
    showTitle()
  }
  return html`<div class="card stack new-key" role="status" tabindex="-1" ref=${focusOnce}>
  <h2>Your new key</h2>
  <p><code class="key-text">${apiKey}</code></p>
  <p class="small soft">${note}</p>
  <div class="row">${h(CopyButton, { text: apiKey, what: 'the key', kind: 'primary' })}<button type="button" class="button" onClick=${done}>I have stored it</button></div></div>`
}
