import { useEffect, useState } from 'preact/hooks'
import { html, type View } from './html.ts'
import { icon } from './icon.ts'

const SHOWN_MS = 1500

/** Puts `text` on the clipboard and says so. `what` names it: "Copy the key". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): View {
  const [done, setDone] = useState<'yes' | 'no' | undefined>(undefined)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [done])
  const copy = (event: Event) => {
    event.preventDefault()
    navigator.clipboard.writeText(text).then(
      () => setDone('yes'),
      () => setDone('no'),
    )
  }
  const said = done === 'yes' ? 'Copied' : done === 'no' ? 'Copying was not allowed' : ''
  return html`<button type="button" class="icon-button copy" data-done=${done === 'yes'} onClick=${copy}
    aria-label=${`Copy ${what}`} title=${said || `Copy ${what}`}>${icon(done === 'yes' ? 'check' : 'copy')}<span
    class="visually-hidden" role="status">${said}</span></button>`
}
