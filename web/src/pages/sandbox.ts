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
import { type Network, useNetwork, useValidators } from '../data/queries.ts'
import { refreshQueries, useQuery } from '../data/query.ts'
import { call } from '../data/service.ts'
import { useStore } from '../data/store.ts'
import { formatTokens, plural } from '../parts/format.ts'
import { KeyGate } from '../parts/forms/key-gate.ts'
import { h, html, type View } from '../parts/html.ts'
import { type Draft, DraftCard } from '../parts/sandbox/draft-card.ts'
import { journalList } from '../parts/sandbox/journal.ts'
import { rewardsFigure } from '../parts/sandbox/rewards-figure.ts'
import type { Built, Known, StageProps } from '../parts/sandbox/stage.ts'
import { TokensCard } from '../parts/sandbox/tokens-card.ts'
import { TimeCard, WalletCard } from '../parts/sandbox/wallet-cards.ts'
import { empty, Failure, skeleton } from '../parts/state.ts'

type Position = Reply<'positions'>['positions'][number]

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

function Theatre(known: Known): View {
  const current = useStore(wallet)
  useEffect(() => {
    if (!current) changeWallet(newWallet())
  }, [current])
  return current ? h(Stage, { ...known, current }) : null
}

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

function doneText(built: Built, result: Reply<'sandboxExecute'>, network: Network): string {
  const paid = BigInt(result.coinsPaidOut)
  if (paid > 0n)
    return `${formatTokens(paid, network.decimals)} ${network.symbol} were paid out, principal and rewards.`
  return `Executed. ${built.summary}`
}
