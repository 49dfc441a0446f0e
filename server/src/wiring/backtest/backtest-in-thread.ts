import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fairTurns } from '#domain/limits/fair-turns.ts'
import type { Caller } from '#domain/limits/turn-order.ts'
import { type Backtest, type BacktestInput, recordsFor } from '#domain/staking/backtest/run-backtest.ts'
import { endOf } from '../../basics/end-of-thread.ts'
import { Fault } from '../../fault.ts'

export type ThreadAnswer =
  | { readonly kind: 'done'; readonly backtest: Backtest }
  | ({ readonly kind: 'refused' } & Pick<Fault, 'code' | 'message' | 'details' | 'fix' | 'next'>)

/** Queue limits besides the running backtest. A network, and in it an agent, that fills the queue gives way to others. */
const TURNS = { atOnce: 1, waitingOfEach: 7, waiting: 7 }

type BacktestRunner = (input: BacktestInput, caller: Caller, signal: AbortSignal) => Promise<Backtest>

/**
 * Runs backtests one at a time in a worker thread, because each takes many times as long as other requests and would
 * block the event loop.
 */
export function backtestInThread(): BacktestRunner {
  const inTurn = fairTurns(TURNS, tooManyWait)
  return (input, caller, signal) => inTurn(caller, () => runOne(input, signal))
}

const tooManyWait = () =>
  new Fault('service_overloaded', 'Too many backtests wait already. Try again in some seconds.', {
    retryAfterSeconds: 10,
  })

async function runOne(input: BacktestInput, signal: AbortSignal): Promise<Backtest> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./backtest-thread.ts', import.meta.url), {
    workerData: { ...input, records: recordsFor(input) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  thread.unref()
  try {
    const [message] = await once(thread, 'message', { signal: AbortSignal.any([signal, endOf(thread)]) })
    const answer = toAnswer(message)
    if (answer.kind === 'done') return answer.backtest
    const { kind: _, code, message: problem, ...parts } = answer
    throw new Fault(code, problem, parts)
  } finally {
    await thread.terminate()
  }
}

/** The thread posts exactly this type. */
const toAnswer = (message: unknown): ThreadAnswer => message as ThreadAnswer
