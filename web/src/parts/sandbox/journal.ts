import type { JournalEntry } from '../../data/account/wallet.ts'
import { html, type View } from '../html.ts'

/** What was done with the play wallet, newest first. */
export const journalList = (journal: readonly JournalEntry[]): View =>
  journal.length === 0
    ? html`<p class="soft small">Everything you do here is written down here.</p>`
    : html`<ol class="journal">${journal.map(({ epoch, text, tone }) => html`<li data-tone=${tone}><span class="faint small nowrap">epoch ${epoch}</span><span>${text}</span></li>`)}</ol>`
