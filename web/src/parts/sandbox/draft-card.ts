import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from '../../data/account/wallet.ts'
import { decodeCommands } from '../../data/decode.ts'
import { inPlainWords } from '../../data/errors/plain-words.ts'
import type { Holding } from '../../data/positions.ts'
import { useEpoch } from '../../data/queries.ts'
import { badge } from '../badge.ts'
import { codeBlock } from '../code.ts'
import { formatExactTokens, localNumbers, plural, shortId } from '../format.ts'
import { html, type View } from '../html.ts'
import { isolateName } from '../validator-link.ts'
import type { Known } from './stage.ts'

type DraftProps = Known & {
  readonly held: Holding | undefined
  readonly draft: Draft
  readonly isBusy: boolean
  readonly execute: () => void
  readonly discard: () => void
}

const isExpired = ({ intent }: Draft['built'], present: number): boolean =>
  present > (intent?.expiresEpoch ?? Number.POSITIVE_INFINITY)

/** Warns if the epochs in the summary may no longer be right: they are those at the time of the build. */
function epochNote({ built, epoch }: Draft, present: number, isSelected: boolean): View {
  if (isExpired(built, present))
    return html`<p class="small attention">It has expired: no chain executes it after epoch ${built.intent?.expiresEpoch}. Discard it and build it anew.</p>`
  if (present > epoch)
    return html`<p class="small attention">Time has moved on since it was built: the epochs that it names may have moved too.</p>`
  if (!built.requiresEpochWait || built.nextCommitteeSelected) return null
  return isSelected
    ? html`<p class="small attention">The next committee was selected since it was built: executed now, it counts one epoch later than it says. Discard it and build it anew to read the right epoch.</p>`
    : html`<p class="small soft">The epoch holds if it is executed before the next committee is selected, half-way through this epoch; later it is the one after.</p>`
}

type Warnings = Draft['built']['warnings']

const isRefused = (warnings: Warnings): boolean => warnings.some(({ rule }) => rule === 'chain_refuses')

/** Reasons not to execute it. */
const warningList = (warnings: Warnings): View =>
  warnings.length > 0 &&
  html`<div class="notice" data-tone=${isRefused(warnings) ? 'bad' : 'attention'} role="status">${warnings.map(({ message }) => html`<p>${inPlainWords(message)}</p>`)}</div>`

/** The transaction in plain words, to be read before it is executed. */
export function DraftCard({ draft, network, validators, held, isBusy, execute, discard }: DraftProps): View {
  const [isRaw, setIsRaw] = useState(false)
  const { built } = draft
  const present = held?.epoch ?? draft.epoch
  const isSelected = useEpoch().data?.nextCommitteeSelected ?? built.nextCommitteeSelected
  const title = useRef<HTMLElement>(null)
  // On a phone the card appears below the pressed button: the focus brings it into view.
  useLayoutEffect(() => title.current?.focus(), [built])
  const sentences = decodeCommands(built.commands, {
    tokens: (amount) => `${formatExactTokens(BigInt(amount), network.decimals)} ${network.symbol}`,
    validatorName: (id) => isolateName(validators.find((one) => one.id === id)?.name ?? shortId(id)),
    shortId,
    hasEarned: (tokenId) =>
      held?.tokens.some(({ stakedTokenId, rewards }) => stakedTokenId === tokenId && rewards !== '0') ??
      false,
  })
  return html`<section class="card stack draft" aria-labelledby="draft"><div class="row spread"><h2 id="draft" tabindex="-1" ref=${title}>Read before you sign</h2>${draft.sent && !isBusy ? badge('not known whether executed', 'attention') : badge('not executed yet', 'attention')}</div>
    ${(built.items ?? [built]).map(({ summary }) => html`<p class="strong">${localNumbers(summary)}</p>`)}
    ${draft.sent && !isBusy && html`<p class="notice" data-tone="attention" role="status">It was sent, and no answer came: whether it was executed is not known. The chain does not show it so far; this page goes on looking, and says so when it does. To execute it again is safe: the chain executes one transaction once.</p>`}
    ${warningList(built.warnings)}
    ${epochNote(draft, present, isSelected)}
    <ol class="steps">${sentences.map((sentence, index) => html`<li><span class="faint">${index + 1}</span><span>${sentence}</span></li>`)}</ol>
    <p class="small soft">That is all it does: ${plural(sentences.length, 'command')}, in this order, all or nothing.</p>
    <div class="row">${!isExpired(built, present) && html`<button type="button" class="button" data-kind=${isRefused(built.warnings) ? undefined : 'primary'} aria-disabled=${isBusy} onClick=${execute}>${draft.sent ? 'Execute again' : 'Execute'}</button>`}
      <button type="button" class="button" aria-disabled=${isBusy} onClick=${discard}>Discard</button>
      <button type="button" class="link-button small" aria-expanded=${isRaw} onClick=${() => setIsRaw(!isRaw)}>${isRaw ? 'Hide the commands' : 'Show the commands'}</button></div>
    ${isRaw && codeBlock(JSON.stringify(built.commands, null, 2), 'the commands')}</section>`
}
