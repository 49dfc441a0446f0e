import { useEffect, useState } from 'preact/hooks'
import { html, type View } from './html.ts'
import { icon } from './icon.ts'

const SHOWN_MS = 1500

type Props = {
  readonly text: string
  /** Part of the label: "Copy the key". */
  readonly what: string
  /** Shows a button with text instead of an icon, where copying is the next step rather than a convenience. */
  readonly kind?: 'plain' | 'primary'
}

/** Pages that came over plain HTTP from another machine have no `navigator.clipboard`, only the older command. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  let isCopied = false
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', copy, { once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', copy)
  if (!isCopied) throw new Error('This browser copies nothing here.')
}

/** Puts `text` on the clipboard and says so. */
export function CopyButton({ text, what, kind }: Props): View {
  const [done, setDone] = useState<'yes' | 'no' | undefined>(undefined)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [done])
  const copy = (event: Event) => {
    event.preventDefault()
    copyText(text).then(
      () => setDone('yes'),
      () => setDone('no'),
    )
  }
  const status = done === 'yes' ? 'Copied' : done === 'no' ? 'Copying was not allowed' : ''
  return html`<button type="button" class=${kind ? 'button' : 'icon-button copy'} data-kind=${kind} data-done=${done === 'yes'} onClick=${copy}
    aria-label=${`Copy ${what}`} title=${status || `Copy ${what}`}>${icon(done === 'yes' ? 'check' : 'copy')}${kind && `Copy ${what}`}<span
    class="visually-hidden" role="status">${status}</span></button>`
}
