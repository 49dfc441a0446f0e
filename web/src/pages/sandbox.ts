import type { Client, Reply } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
import { dropRefusedKey } from '../data/account/play-key.ts'
import {
  changeWallet,
  type JournalEntry,
  newWallet,
  noteEarned,
  type Wallet,
  wallet,
} from '../data/account/wallet.ts'
import { decodeCommands } from '../data/decode.ts'
import { type Network, useEpoch, useNetwork, useValidators, type Validator } from '../data/queries.ts'
import { refreshQueries, useQuery } from '../data/query.ts'
import { call } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { Amount } from '../parts/amount.ts'
import { badge, type Tone } from '../parts/badge.ts'
import { codeBlock } from '../parts/code.ts'
import { Figure } from '../parts/figure.ts'
import {
  formatDecimal,
  formatExactTokens,
  formatPercent,
  formatTokens,
  plural,
  shortId,
  toTokens,
} from '../parts/format.ts'
import { AmountField } from '../parts/forms/amount-field.ts'
import { Field, inputValue } from '../parts/forms/field.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { empty, Failure, skeleton } from '../parts/state.ts'
import { nameText } from '../parts/validator-link.ts'
import { LinePlot } from '../plots/line-plot.ts'

type Built = Reply<'buildStake'>
type Position = Reply<'positions'>['positions'][number]
const START_TOKENS = 5_000n

/** A wallet for play: build, read, execute, advance, watch rewards accrue. */
export default function Sandbox(): View {
  const network = useNetwork().data
  const validators = useValidators().data?.data
  const lede =
    'A wallet for play on a simulated chain that follows the rules of the real contracts: build a transaction, read it in plain words, execute it, move time, watch rewards accrue.'
  return html`<div class="page"><div class="page-head"><div><h1>Sandbox</h1><p class="lede">${lede}</p></div></div>
    ${
      network && validators
        ? network.network === 'sandbox'
          ? h(KeyGate, { height: '520px', children: () => h(Theatre, { network, validators }) })
          : html`<div class="card">${empty(`This service follows ${network.network}, a real network. Start one with NETWORK=sandbox to play.`, html`<a class="button" href="/allocate">Try an amount instead</a>`)}</div>`
        : skeleton('100%', '520px')
    }</div>`
}

type Known = { readonly network: Network; readonly validators: readonly Validator[] }

function Theatre(known: Known): View {
  const current = useStore(wallet)
  useEffect(() => {
    if (!current) changeWallet(newWallet())
  }, [current])
  return current ? h(Stage, { ...known, current }) : null
}

/** What is on the table: a transaction that was built and not executed yet. */
type Draft = { readonly built: Built; readonly title: string }

function Stage({ network, validators, current }: Known & { readonly current: Wallet }): View {
  const [draft, setDraft] = useState<Draft | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const held = useQuery({
    key: `positions/${current.address}`,
    ask: (client) => client.positions({ owner: current.address }),
    everyMs: 15_000,
  }).data
  useEffect(() => {
    if (!held) return
    const sum = (pick: (position: Position) => string) =>
      String(held.positions.reduce((total, one) => total + BigInt(pick(one)), 0n))
    const now = wallet.get() ?? current
    changeWallet(
      noteEarned(now, {
        epoch: held.epoch,
        principal: sum(({ principal }) => principal),
        rewards: sum(({ rewards }) => rewards),
      }),
    )
  }, [held])

  const run = async <T>(ask: (client: Client) => Promise<T>, then: (answer: T) => void | Promise<void>) => {
    setIsBusy(true)
    setError(undefined)
    try {
      await then(await call(ask))
    } catch (reason) {
      dropRefusedKey(reason)
      setError(reason)
    } finally {
      setIsBusy(false)
    }
  }
  const write = (entry: JournalEntry, paid = 0n) => {
    const now = wallet.get() ?? current
    changeWallet({ ...now, journal: [entry, ...now.journal], paidOut: String(BigInt(now.paidOut) + paid) })
  }
  const build = (title: string, ask: (client: Client) => Promise<Built>) =>
    run(ask, (built) => setDraft({ built, title }))
  const execute = ({ built }: Draft) =>
    run(
      (client) => client.sandboxExecute({ sender: current.address, commands: [...built.commands] }),
      async (result) => {
        setDraft(undefined)
        if (result.abort)
          write({ epoch: result.epoch, text: `The contract refused: ${result.abort.message}`, tone: 'bad' })
        else
          write(
            { epoch: result.epoch, text: doneText(built, result, network), tone: 'good' },
            BigInt(result.coinsPaidOut),
          )
        await refreshQueries('positions/')
      },
    )
  const advance = (epochs: number) =>
    run(
      (client) => client.sandboxAdvance({ epochs }),
      async ({ epoch }) => {
        write({ epoch, text: `Time moved on by ${plural(epochs, 'epoch')}.`, tone: 'neutral' })
        await refreshQueries()
      },
    )
  const stage: StageProps = { network, validators, current, isBusy, build, advance }
  return html`<div class="grid">
    <div class="span-5 stack">
      <section class="card stack" aria-labelledby="wallet">${h(WalletCard, stage)}</section>
      <section class="card stack" aria-labelledby="time">${h(TimeCard, stage)}</section>
    </div>
    <div class="span-7 stack">
      ${error !== undefined && h(Failure, { error })}
      ${draft ? h(DraftCard, { draft, network, validators, isBusy, execute: () => execute(draft), discard: () => setDraft(undefined) }) : html`<section class="card" aria-labelledby="tokens">${h(TokensCard, { ...stage, positions: held?.positions })}</section>`}
      <section class="card" aria-label="Rewards">${rewardsFigure(current, network)}</section>
      <section class="card" aria-labelledby="journal"><h2 id="journal">Journal</h2>${journalList(current.journal)}</section>
    </div>
  </div>`
}

type StageProps = Known & {
  readonly current: Wallet
  readonly isBusy: boolean
  readonly build: (title: string, ask: (client: Client) => Promise<Built>) => void
  readonly advance: (epochs: number) => void
}

function WalletCard({ network, validators, current, isBusy, build }: StageProps): View {
  const candidates = validators
    .filter(({ score, ineligible }) => score !== null && ineligible.length === 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const [validatorId, setValidatorId] = useState(candidates[0]?.id ?? '')
  const [amount, setAmount] = useState(START_TOKENS * 10n ** BigInt(network.decimals))
  const submit = (event: Event) => {
    event.preventDefault()
    build('Stake', (client) =>
      client.buildStake({ validatorId, amount: String(amount), sender: current.address }),
    )
  }
  return html`<div class="row spread"><h2 id="wallet">Your play wallet</h2>${h(Id, { id: current.address, what: 'address' })}</div>
    <form class="stack" onSubmit=${submit} aria-label="Stake">
      ${h(AmountField, { label: 'Stake', amount, least: BigInt(network.minStakeAmount), network, hint: 'Coins for play never run out.', onChange: setAmount })}
      ${h(Field, { label: 'With', children: (props) => html`<select ...${props} class="select" value=${validatorId} onChange=${(event: Event) => setValidatorId(inputValue(event))}>${candidates.map(({ id, name, score, apy }) => html`<option value=${id}>${name} – score ${formatDecimal(score ?? 0, 1)}${apy === null ? '' : `, ${formatPercent(apy)} APY`}</option>`)}</select>` })}
      <button class="button" data-kind="primary" type="submit" disabled=${isBusy}>Build the transaction</button>
    </form>`
}

function TimeCard({ isBusy, advance }: StageProps): View {
  const epoch = useEpoch().data
  return html`<div class="row spread"><h2 id="time">Time</h2><span class="soft">${epoch ? `epoch ${epoch.epoch}` : ''}</span></div>
    <p class="small soft">On a real chain you would wait. Here you complete epochs at once.</p>
    <div class="row">${[1, 5, 10].map((count) => html`<button type="button" class="button" disabled=${isBusy} onClick=${() => advance(count)} aria-label=${`Advance ${plural(count, 'epoch')}`}>+ ${plural(count, 'epoch')}</button>`)}</div>`
}

type DraftProps = Known & {
  readonly draft: Draft
  readonly isBusy: boolean
  readonly execute: () => void
  readonly discard: () => void
}

function DraftCard({ draft, network, validators, isBusy, execute, discard }: DraftProps): View {
  const [isRaw, setIsRaw] = useState(false)
  const { built } = draft
  const sentences = decodeCommands(built.commands, {
    tokens: (amount) => `${formatExactTokens(BigInt(amount), network.decimals)} ${network.symbol}`,
    validatorName: (id) => validators.find((one) => one.id === id)?.name ?? shortId(id),
    shortId,
  })
  return html`<section class="card stack draft" aria-labelledby="draft"><div class="row spread"><h2 id="draft">Read before you sign</h2>${badge('not executed yet', 'attention')}</div>
    <p class="strong">${built.summary}</p>
    <ol class="steps">${sentences.map((sentence, index) => html`<li><span class="faint">${index + 1}</span><span>${sentence}</span></li>`)}</ol>
    <p class="small soft">That is all it does: ${plural(sentences.length, 'command')}, in this order, all or nothing.</p>
    <div class="row"><button type="button" class="button" data-kind="primary" disabled=${isBusy} onClick=${execute}>Execute</button>
      <button type="button" class="button" disabled=${isBusy} onClick=${discard}>Discard</button>
      <button type="button" class="link-button small" aria-expanded=${isRaw} onClick=${() => setIsRaw(!isRaw)}>${isRaw ? 'Hide the commands' : 'Show the commands'}</button></div>
    ${isRaw && codeBlock(JSON.stringify(built.commands, null, 2), 'the commands')}</section>`
}

const STATE_TONES: Readonly<Record<Position['state'], Tone>> = {
  pending: 'neutral',
  active: 'good',
  withdrawing: 'attention',
  withdrawable: 'good',
}

function TokensCard({
  positions,
  network,
  validators,
  current,
  isBusy,
  build,
}: StageProps & { readonly positions: readonly Position[] | undefined }): View {
  const title = html`<div class="section-head"><h2 id="tokens">Staked tokens</h2>${BigInt(current.paidOut) > 0n && html`<span class="small soft">paid out so far: ${h(Amount, { value: current.paidOut })}</span>`}</div>`
  if (!positions) return html`${title}${skeleton('100%', '80px')}`
  if (positions.length === 0)
    return html`${title}<p class="soft">Nothing is staked yet. Build a stake: you read it in plain words before anything happens.</p>`
  const act = (position: Position) =>
    position.next === 'unstake'
      ? html`<button type="button" class="button" data-size="small" disabled=${isBusy} onClick=${() => build('Unstake', (client) => client.buildUnstake({ stakedTokenId: position.stakedTokenId, sender: current.address }))}>Unstake</button>`
      : position.next === 'withdraw'
        ? html`<button type="button" class="button" data-kind="primary" data-size="small" disabled=${isBusy} onClick=${() => build('Withdraw', (client) => client.buildWithdraw({ stakedTokenId: position.stakedTokenId, sender: current.address }))}>Withdraw</button>`
        : html`<span class="small soft nowrap">wait${position.withdrawEpoch === null ? '' : ` for epoch ${position.withdrawEpoch}`}</span>`
  return html`${title}<ul class="tokens">${positions.map(
    (position) => html`<li key=${position.stakedTokenId}>
    <div><span class="strong">${nameText(validators.find((one) => one.id === position.validatorId)?.name ?? position.validatorId)}</span> ${badge(position.state, STATE_TONES[position.state])}<div class="small soft">${h(Id, { id: position.stakedTokenId, what: 'token id' })}</div></div>
    <div class="token-amount"><span class="strong">${h(Amount, { value: position.principal })}</span><div class="small good number" title=${`${position.rewards} smallest units`}>+ ${formatTokens(BigInt(position.rewards), network.decimals)} rewards</div></div>
    <div>${act(position)}</div></li>`,
  )}</ul>`
}

function rewardsFigure({ earned }: Wallet, network: Network): View {
  const last = earned.at(-1)
  if (!last || earned.length < 2)
    return html`<h3>Rewards</h3><p class="soft small">They appear here, epoch by epoch, once something is staked and time moves.</p>`
  const text = (units: string) => `${formatTokens(BigInt(units), network.decimals)} ${network.symbol}`
  const { x, y } = plotOf(earned, network.decimals)
  return h(Figure, {
    title: `Rewards not withdrawn yet, ${network.symbol}`,
    caption: `In epoch ${last.epoch} your staked tokens hold ${text(last.principal)} and have earned ${text(last.rewards)} on top.`,
    table: () => ({
      head: ['Epoch', 'Principal', 'Rewards'],
      rows: earned
        .toReversed()
        .map(({ epoch, principal, rewards }) => [String(epoch), text(principal), text(rewards)]),
    }),
    children: h(LinePlot, {
      x,
      y,
      height: 150,
      series: 3,
      formatY: (value: number) => formatDecimal(value, value >= 100 ? 0 : 4),
      formatX: (epoch: number) => `Epoch ${epoch}`,
    }),
  })
}

const plots = new WeakMap<
  Wallet['earned'],
  { readonly x: readonly number[]; readonly y: readonly number[] }
>()
function plotOf(earned: Wallet['earned'], decimals: number) {
  const known = plots.get(earned) ?? {
    x: earned.map(({ epoch }) => epoch),
    y: earned.map(({ rewards }) => toTokens(BigInt(rewards), decimals)),
  }
  plots.set(earned, known)
  return known
}

function doneText(built: Built, result: Reply<'sandboxExecute'>, network: Network): string {
  const paid = BigInt(result.coinsPaidOut)
  if (paid > 0n)
    return `${formatTokens(paid, network.decimals)} ${network.symbol} were paid out, principal and rewards.`
  return `Executed. ${built.summary}`
}

const journalList = (journal: readonly JournalEntry[]): View =>
  journal.length === 0
    ? html`<p class="soft small">Everything you do here is written down here.</p>`
    : html`<ol class="journal">${journal.map(({ epoch, text, tone }) => html`<li data-tone=${tone}><span class="faint small nowrap">epoch ${epoch}</span><span>${text}</span></li>`)}</ol>`
