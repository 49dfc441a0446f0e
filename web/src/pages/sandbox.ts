import { useEffect } from 'preact/hooks'
import { changeWallet, newWallet, type Wallet, wallet } from '../data/account/wallet.ts'
import { readParts } from '../data/address/read-parts.ts'
import { readSplit, SPLIT_PARAMETER, type SplitPart } from '../data/allocation/split-address.ts'
import { useNetwork, useValidators } from '../data/queries.ts'
import { usePlace } from '../data/router.ts'
import { useStore } from '../data/store.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { DraftCard } from '../parts/sandbox/draft-card.ts'
import { journalList } from '../parts/sandbox/journal.ts'
import { lifeSteps } from '../parts/sandbox/life.ts'
import { rewardsFigure } from '../parts/sandbox/rewards-figure.ts'
import { SplitCard } from '../parts/sandbox/split-card.ts'
import type { Known, StageProps } from '../parts/sandbox/stage.ts'
import { TokensCard } from '../parts/sandbox/tokens-card.ts'
import { useStage } from '../parts/sandbox/use-stage.ts'
import { TimeCard, WalletCard } from '../parts/sandbox/wallet-cards.ts'
import { empty, errorOrSkeleton, Failure } from '../parts/state.ts'

/** A wallet for play: build, read, execute, advance, watch rewards accrue. */
export default function Sandbox(): View {
  const answers = [useNetwork(), useValidators()] as const
  const network = answers[0].data
  const validators = answers[1].data?.data
  const lede =
    'A wallet for play on a simulated chain that follows the rules of the real contracts: build a transaction, read it in plain words, execute it, move time, watch rewards accrue.'
  return html`<div class="page"><div class="page-head"><div><h1>Sandbox</h1><p class="lede">${lede}</p></div></div>
    ${
      network && validators
        ? network.network === 'sandbox'
          ? h(KeyGate, { height: '580px', children: () => h(WithWallet, { network, validators }) })
          : html`<div class="card">${empty(`This service follows ${network.network}, a real network. Start one with NETWORK=sandbox to play.`, html`<a class="button" href="/allocate">Try an amount instead</a>`)}</div>`
        : errorOrSkeleton(answers, '580px')
    }</div>`
}

/** Creates the tab's wallet if there is none yet. */
function WithWallet(known: Known): View {
  const current = useStore(wallet)
  useEffect(() => {
    if (!current) changeWallet(newWallet())
  }, [current])
  return current ? h(Stage, { ...known, current }) : null
}

function Stage({ network, validators, current }: Known & { readonly current: Wallet }): View {
  const { draft, error, held, isBusy, build, execute, advance, discard } = useStage(current, {
    network,
    validators,
  })
  const stage: StageProps = { network, validators, current, isBusy, build, advance }
  const { read, unread } = readParts(usePlace().query)
  const split = read<readonly SplitPart[] | undefined>(
    SPLIT_PARAMETER,
    readSplit,
    undefined,
    'a split is written by “Try it in the sandbox” of the allocation lab, and none is offered here',
  )
  return html`${lifeSteps(current, held, draft !== undefined)}${unreadParts(unread)}
    ${split && !draft && h(SplitCard, { ...stage, split })}<div class="grid">
    <div class="span-5 stack">
      <section class="card stack" aria-labelledby="wallet">${h(WalletCard, stage)}</section>
      <section class="card stack" aria-labelledby="time">${h(TimeCard, stage)}</section>
    </div>
    <div class="span-7 stack">
      ${error !== undefined && h(Failure, { error })}
      ${draft ? h(DraftCard, { draft, network, validators, held, isBusy, execute: () => execute(draft), discard }) : html`<section class="card" aria-labelledby="tokens">${h(TokensCard, { ...stage, held })}</section>`}
      <section class="card" aria-label="Rewards">${rewardsFigure(current, network)}</section>
      <section class="card" aria-labelledby="journal"><h2 id="journal">Journal</h2>${journalList(current.journal)}</section>
    </div>
  </div>`
}
