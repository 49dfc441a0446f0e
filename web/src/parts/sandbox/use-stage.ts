import type { Client } from '@stakewright/client'
import { useEffect, useState } from 'preact/hooks'
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
import { entryFor } from './done-text.ts'
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
  const { isBusy, error, run } = useOneAtATime()
  const held = useHeld(current)
  const write = (entry: JournalEntry, paid = 0n) => {
    const now = wallet.get() ?? current
    changeWallet({ ...now, journal: [entry, ...now.journal], paidOut: String(BigInt(now.paidOut) + paid) })
  }
  const build: Stage['build'] = (title, ask) =>
    run(ask, (built) => setDraft({ built, title, epoch: held?.epoch ?? known.network.epoch }))
  const execute = ({ built }: Draft) =>
    run(
      (client) =>
        client.sandboxExecute({
          sender: current.address,
          commands: [...built.commands],
          intent: built.intent,
        }),
      async (result) => {
        setDraft(undefined)
        write(entryFor(built, result, { ...known, held }), result.abort ? 0n : BigInt(result.coinsPaidOut))
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
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, error, run }
}

/** What the wallet holds on the chain; what it has earned is noted epoch by epoch. */
function useHeld(current: Wallet): Holding | undefined {
  const held = useQuery({
    key: `positions/${current.address}`,
    ask: (client) => readHolding(client, current.address),
    everyMs: 15_000,
  }).data
  useEffect(() => {
    if (!held) return
    const sum = (pick: (token: HeldToken) => string) =>
      String(held.tokens.reduce((total, one) => total + BigInt(pick(one)), 0n))
    const now = wallet.get() ?? current
    const [principal, rewards] = [sum((one) => one.principal), sum((one) => one.rewards)]
    changeWallet(noteEarned(now, { epoch: held.epoch, principal, rewards }))
  }, [held])
  return held
}
