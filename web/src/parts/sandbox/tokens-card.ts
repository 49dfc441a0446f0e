import type { HeldToken, Holding } from '../../data/positions.ts'
import { ExactAmount } from '../amount.ts'
import { badge, type Tone } from '../badge.ts'
import { formatCount, formatExactTokens } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { Id } from '../id.ts'
import { skeleton } from '../state.ts'
import { nameText } from '../validator-link.ts'
import type { StageProps } from './stage.ts'

const STATE_TONES: Readonly<Record<HeldToken['state'], Tone>> = {
  pending: 'neutral',
  active: 'good',
  withdrawing: 'attention',
  withdrawable: 'good',
}

/** The staked tokens of the play wallet, each with its next step. */
export function TokensCard({
  held,
  network,
  validators,
  current,
  isBusy,
  build,
}: StageProps & { readonly held: Holding | undefined }): View {
  const title = html`<div class="section-head"><h2 id="tokens" tabindex="-1">Staked tokens</h2>${BigInt(current.paidOut) > 0n && html`<span class="small soft">paid out so far: ${h(ExactAmount, { value: current.paidOut })}</span>`}</div>`
  if (!held) return html`${title}${skeleton('100%', '80px')}`
  const { tokens, total } = held
  if (tokens.length === 0)
    return html`${title}<p class="soft">Nothing is staked. Build a stake: you read it in plain words before anything happens.</p>`
  const act = (position: HeldToken) =>
    position.next === 'unstake'
      ? html`<button type="button" class="button" data-size="small" aria-disabled=${isBusy} onClick=${() => build('Unstake', (client) => client.buildUnstake({ stakedTokenId: position.stakedTokenId, sender: current.address }))}>Unstake</button>`
      : position.next === 'withdraw'
        ? html`<button type="button" class="button" data-kind=${position.state === 'withdrawable' ? 'primary' : undefined} data-size="small" aria-disabled=${isBusy} onClick=${() => build('Withdraw', (client) => client.buildWithdraw({ stakedTokenId: position.stakedTokenId, sender: current.address }))}>Withdraw</button>`
        : html`<span class="small soft nowrap">wait${position.withdrawEpoch === null ? '' : ` for epoch ${position.withdrawEpoch}`}</span>`
  return html`${title}<ul class="tokens">${tokens.map(
    (position) => html`<li key=${position.stakedTokenId}>
    <div><span class="strong">${nameText(validators.find((one) => one.id === position.validatorId)?.name ?? position.validatorId)}</span> ${badge(position.state, STATE_TONES[position.state])}<div class="small soft">${position.state === 'pending' && html`<div>earns from epoch ${position.activationEpoch}</div>`}${h(Id, { id: position.stakedTokenId, what: 'token id' })}</div></div>
    <div class="token-amount"><span class="strong">${h(ExactAmount, { value: position.principal })}</span><div class="small good number" title=${`${position.rewards} smallest units`}>+ ${formatExactTokens(BigInt(position.rewards), network.decimals)} rewards</div></div>
    <div>${act(position)}</div></li>`,
  )}</ul>${total > tokens.length && html`<p class="list-end small soft">Of ${formatCount(total)} staked tokens the largest ${formatCount(tokens.length)} are shown and counted.</p>`}`
}
