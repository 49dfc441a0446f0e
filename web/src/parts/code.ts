import { useId, useState } from 'preact/hooks'
import { CopyButton } from './copy.ts'
import { h, html, type View } from './html.ts'

/** A path or a call, which breaks after its slashes rather than within a word. */
export const breakable = (text: string): View =>
  text.split(/(?<=\/)/).map((part, index) => html`${index > 0 && html`<wbr />`}${part}`)

export const codeBlock = (text: string, what: string): View =>
  html`<div class="code"><pre tabindex="0" aria-label=${what}><code>${text}</code></pre>${h(CopyButton, { text, what })}</div>`

type CodeTab = {
  readonly name: string
  readonly text: string
  /** Instructions for sending the text, if it does not contain them. */
  readonly note?: string
}

/** Tabs with the same code in several languages. */
export function CodeTabs({
  tabs,
  label,
}: {
  readonly tabs: readonly CodeTab[]
  readonly label: string
}): View {
  const [index, setIndex] = useState(0)
  const id = useId()
  const current = tabs[Math.min(index, tabs.length - 1)]
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = (index + step + tabs.length) % tabs.length
    setIndex(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return html`<div>
    <div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>${tabs.map(
      (
        { name },
        at,
      ) => html`<button type="button" role="tab" id=${`${id}-tab-${at}`} aria-selected=${at === index} aria-controls=${`${id}-panel`}
        tabindex=${at === index ? 0 : -1} onClick=${() => setIndex(at)}>${name}</button>`,
    )}</div>
    <div role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-tab-${index}`}>${current && codeBlock(current.text, `the ${current.name} code`)}${current?.note && html`<p class="small soft code-note">${current.note}</p>`}</div>
  </div>`
}
