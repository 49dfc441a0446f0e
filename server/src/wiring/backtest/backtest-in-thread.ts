import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Backtest, type BacktestInput, recordsFor } from '#domain/staking/backtest/run-backtest.ts'
import { Fault } from '../../fault.ts'

export type ThreadAnswer =
  | { readonly kind: 'done'; readonly backtest: Backtest }
  | ({ readonly kind: 'refused' } & Pick<Fault, 'code' | 'message' | 'details' | 'fix' | 'next'>)

/** Most callers in the queue; more are refused. */
const MOST_WAITING = 8

type BacktestRunner = (input: BacktestInput, signal: AbortSignal) => Promise<Backtest>

/**
 * Runs backtests one at a time in a worker thread: each takes many times as long as any other request, and must not
 * block the event loop.
 */
export function backtestInThread(): BacktestRunner {
  let [waiting, last] = [0, Promise.resolve()]
  return async (input, signal) => {
    if (waiting >= MOST_WAITING) {
      throw new Fault('service_overloaded', 'Too many backtests wait already. Try again in some seconds.', {
        retryAfterSeconds: 10,
      })
    }
    waiting++
    const own = last.then(() => runOne(input, signal))
    last = own.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await own
    } finally {
      waiting--
    }
  }
}

async function runOne(input: BacktestInput, signal: AbortSignal): Promise<Backtest> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./backtest-thread.ts', import.meta.url), {
    workerData: { ...input, records: recordsFor(input) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  thread.unref()
  try {
    const [message] = await once(thread, 'message', { signal })
    const answer = toAnswer(message)
    if (answer.kind === 'done') return answer.backtest
    const { kind: _, code, message: problem, ...parts } = answer
    throw new Fault(code, problem, parts)
  } finally {
    await thread.terminate()
  }
}

/** The thread posts exactly this. */
const toAnswer = (message: unknown): ThreadAnswer => message as ThreadAnswer
