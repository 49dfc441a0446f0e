import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from '../../data/account/wallet.ts'
import { decodeCommands } from '../../data/decode.ts'
import type { Holding } from '../../data/positions.ts'
import { badge } from '../badge.ts'
import { codeBlock } from '../code.ts'
import { formatExactTokens, plural, shortId } from '../format.ts'
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

/** The transaction in plain words, to be read before it is executed. */
export function DraftCard({ draft, network, validators, held, isBusy, execute, discard }: DraftProps): View {
  const [isRaw, setIsRaw] = useState(false)
  const { built } = draft
  const title = useRef<HTMLElement>(null)
  // On a phone it appears below what was pressed.
  useLayoutEffect(() => title.current?.focus(), [built])
  const sentences = decodeCommands(built.commands, {
    tokens: (amount) => `${formatExactTokens(BigInt(amount), network.decimals)} ${network.symbol}`,
    validatorName: (id) => isolateName(validators.find((one) => one.id === id)?.name ?? shortId(id)),
    shortId,
    hasEarned: (tokenId) =>
      held?.tokens.some(({ stakedTokenId, rewards }) => stakedTokenId === tokenId && rewards !== '0') ??
      false,
  })
  return html`<section class="card stack draft" aria-labelledby="draft"><div class="row spread"><h2 id="draft" tabindex="-1" ref=${title}>Read before you sign</h2>${badge('not executed yet', 'attention')}</div>
    <p class="strong">${built.summary}</p>
    ${(held?.epoch ?? draft.epoch) > draft.epoch && html`<p class="small attention">Time has moved on since it was built: the epochs that it names may have moved too.</p>`}
    <ol class="steps">${sentences.map((sentence, index) => html`<li><span class="faint">${index + 1}</span><span>${sentence}</span></li>`)}</ol>
    <p class="small soft">That is all it does: ${plural(sentences.length, 'command')}, in this order, all or nothing.</p>
    <div class="row"><button type="button" class="button" data-kind="primary" aria-disabled=${isBusy} onClick=${execute}>Execute</button>
      <button type="button" class="button" aria-disabled=${isBusy} onClick=${discard}>Discard</button>
      <button type="button" class="link-button small" aria-expanded=${isRaw} onClick=${() => setIsRaw(!isRaw)}>${isRaw ? 'Hide the commands' : 'Show the commands'}</button></div>
    ${isRaw && codeBlock(JSON.stringify(built.commands, null, 2), 'the commands')}</section>`
}
