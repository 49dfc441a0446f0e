import type { Client, Reply } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
import { earnedBetween, isBehind } from '../../data/account/earned.ts'
import { isRefusal, isShown, paidFor, tokensBefore } from '../../data/account/lost-answer.ts'
import { dropRefusedKey } from '../../data/account/play-key.ts'
import {
  changeWallet,
  type Draft,
  type JournalEntry,
  noteEarned,
  type Wallet,
  wallet,
} from '../../data/account/wallet.ts'
import { type HeldToken, type Holding, readHolding } from '../../data/positions.ts'
import { refreshQueries, useQuery } from '../../data/query.ts'
import { call } from '../../data/service.ts'
import { plural } from '../format.ts'
import { entryFor, entryWithoutAnswer } from './done-text.ts'
import type { Known, StageProps } from './stage.ts'

export type Stage = Pick<StageProps, 'isBusy' | 'build' | 'advance'> & {
  readonly draft: Draft | undefined
  readonly error: unknown
  readonly held: Holding | undefined
  readonly execute: (draft: Draft) => void
  readonly discard: () => void
}

/** The actions of the sandbox page: one at a time, each written into the wallet's journal. */
export function useStage(current: Wallet, known: Known): Stage {
  const { draft } = current
  const setDraft = (next: Draft | undefined) => changeWallet({ ...(wallet.get() ?? current), draft: next })
  const { isBusy, error, run, forget } = useOneAtATime()
  const held = useHeld(current)
  const write = (entry: JournalEntry, paid = 0n) => {
    const now = wallet.get() ?? current
    changeWallet({ ...now, journal: [entry, ...now.journal], paidOut: String(BigInt(now.paidOut) + paid) })
  }
  const build: Stage['build'] = (title, ask) =>
    run(ask, (built) => setDraft({ built, title, epoch: held?.epoch ?? known.network.epoch }))
  const settle = (built: Draft['built'], result: Reply<'sandboxExecute'>) => {
    setDraft(undefined)
    write(entryFor(built, result, { ...known, held }), result.abort ? 0n : BigInt(result.coinsPaidOut))
    return refreshQueries('positions/')
  }
  const execute = (draft: Draft) =>
    run(
      (client) => send(client, current.address, { draft, held, keep: setDraft }),
      (answer) => (answer ? settle(draft.built, answer) : refreshQueries('positions/')),
    )
  useEffect(() => {
    // The answer was lost, and no request is in flight: the chain shows whether the transaction was executed.
    if (isBusy || !held || !draft?.sent || !isShown(draft.sent, held)) return
    setDraft(undefined)
    write(entryWithoutAnswer(draft.built, held.epoch), paidFor(draft.sent, held))
    forget()
  }, [held, isBusy])
  const advance = (epochs: number) =>
    run(
      (client) => client.sandboxAdvance({ epochs }),
      async ({ epoch }) => {
        write({ epoch, text: `Time moved on by ${plural(epochs, 'epoch')}.`, tone: 'neutral' })
        await refreshQueries()
      },
    )
  const discard = () => setDraft(undefined)
  return { draft, error, isBusy, held, build, execute, advance, discard }
}

/** Calls the service, and keeps the error until the next call. */
function useOneAtATime() {
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setIsBusy] = useState(false)
  const run = async <T>(ask: (client: Client) => Promise<T>, then: (answer: T) => void | Promise<void>) => {
    setIsBusy(true)
    setError(undefined)
    try {
      await then(await call(ask))
    } catch (reason) {
      dropRefusedKey(reason)
      setError(reason)
      void refreshQueries('positions/')
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, error, run, forget: () => setError(undefined) }
}

type Sent = {
  readonly draft: Draft
  readonly held: Holding | undefined
  readonly keep: (draft: Draft) => void
}

/**
 * Sends a transaction and marks the draft as sent, unless the service refuses it: a lost answer must not look as if
 * nothing was done. If the draft was sent before, the chain is read first; undefined if it shows the transaction.
 */
async function send(
  client: Client,
  sender: string,
  { draft, held, keep }: Sent,
): Promise<Reply<'sandboxExecute'> | undefined> {
  const { built, sent } = draft
  const now = sent || !held ? await readHolding(client, sender) : held
  if (sent && isShown(sent, now)) return undefined
  keep({ ...draft, sent: sent ?? tokensBefore(now) })
  try {
    return await client.sandboxExecute({ sender, commands: [...built.commands], intent: built.intent })
  } catch (error) {
    if (isRefusal(error)) keep({ ...draft, sent })
    throw error
  }
}

type HoldingWithRewards = Holding & { readonly perEpoch: Reply<'rewards'>['data'] }

/** Reads the holding and, if more than one epoch has passed, the rewards of each epoch. */
async function readWithRewards(client: Client, address: string): Promise<HoldingWithRewards> {
  const held = await readHolding(client, address)
  if (!isBehind(wallet.get()?.earned.at(-1), held.epoch)) return { ...held, perEpoch: [] }
  const { data, epoch } = await client.rewards({ owner: address })
  // If the epoch has changed between the two requests, both are read again.
  return epoch === held.epoch ? { ...held, perEpoch: data } : readWithRewards(client, address)
}

/** The wallet's stake on the chain. Also records the rewards of each epoch in the wallet. */
function useHeld(current: Wallet): Holding | undefined {
  const held = useQuery({
    key: `positions/${current.address}`,
    ask: (client) => readWithRewards(client, current.address),
    everyMs: 15_000,
  }).data
  useEffect(() => {
    if (!held) return
    const sum = (pick: (token: HeldToken) => string) =>
      String(held.tokens.reduce((total, one) => total + BigInt(pick(one)), 0n))
    const now = wallet.get() ?? current
    const item = {
      epoch: held.epoch,
      principal: sum((one) => one.principal),
      rewards: sum((one) => one.rewards),
    }
    changeWallet(noteEarned(now, item, earnedBetween(now.earned.at(-1), item, held.perEpoch)))
  }, [held])
  return held
}
