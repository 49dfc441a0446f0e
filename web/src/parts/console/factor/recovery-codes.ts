import { unstoredCodes } from '../../../data/account/unstored-keys.ts'
import { CopyButton } from '../../copy.ts'
import { focusOnce, showTitle } from '../../focus.ts'
import { h, html, type View } from '../../html.ts'

/** New recovery codes, shown this once. Closing the tab before they are stored asks first. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }): View {
  const text = `${codes.join('\n')}\n`
  const done = () => {
    unstoredCodes.set(undefined)
    showTitle()
  }
  return html`<section class="card stack new-key" aria-labelledby="recovery" tabindex="-1" ref=${focusOnce}>
    <h2 id="recovery">Your recovery codes</h2>
    <p>For the day you do not have your phone: each signs you in once, instead of a code of the app. Keep them apart from the phone. They are shown only now, and earlier ones work no more.</p>
    <ul class="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
    <div class="row">${h(CopyButton, { text, what: 'all recovery codes', kind: 'plain' })}<button type="button" class="button" onClick=${() => download(text)}>Download as a file</button>
      <button type="button" class="button" data-kind="primary" onClick=${done}>I have stored them</button></div>
  </section>`
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'stakewright-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
