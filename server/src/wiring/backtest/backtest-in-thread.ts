import type { Caller } from '#domain/limits/turn-order.ts'
import { type Backtest, type BacktestInput, recordsFor } from '#domain/staking/backtest/run-backtest.ts'
import { threadInTurn } from '../threads/thread-in-turn.ts'

type BacktestRunner = (input: BacktestInput, caller: Caller, signal: AbortSignal) => Promise<Backtest>

/** Runs backtests in a thread, because each takes many times as long as other requests. */
export function openBacktestThread(): AsyncDisposable & { readonly run: BacktestRunner } {
  const thread = threadInTurn(new URL('./backtest-thread.ts', import.meta.url), 'backtests')
  return {
    run: async (input, caller, signal) =>
      toBacktest(await thread.ask({ ...input, records: recordsFor(input) }, caller, signal)),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

/** The thread posts exactly the result of `runBacktest`. */
const toBacktest = (message: unknown): Backtest => message as Backtest
