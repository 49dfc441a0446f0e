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

/** What happens on the stage: one thing at a time, each written into the journal of the wallet. */
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
    // No answer has come, and none is awaited: the chain shows what has become of it.
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

/** Calls the service, and keeps what went wrong until the next call. */
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
 * Sends a transaction to be executed and remembers that, until it is refused: then a lost answer does not look like
 * nothing done. One that was sent before is looked for on the chain first; undefined if it is there.
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

type Looked = Holding & { readonly perEpoch: Reply<'rewards'>['data'] }

/** The rewards of each epoch are asked for where time has moved by more than one. */
async function lookAt(client: Client, address: string): Promise<Looked> {
  const held = await readHolding(client, address)
  if (!isBehind(wallet.get()?.earned.at(-1), held.epoch)) return { ...held, perEpoch: [] }
  const { data, epoch } = await client.rewards({ owner: address })
  // Time may have moved again meanwhile: then it is asked again.
  return epoch === held.epoch ? { ...held, perEpoch: data } : lookAt(client, address)
}

/** What the wallet holds on the chain; what it has earned is noted epoch by epoch. */
function useHeld(current: Wallet): Holding | undefined {
  const held = useQuery({
    key: `positions/${current.address}`,
    ask: (client) => lookAt(client, current.address),
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
