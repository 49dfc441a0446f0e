import { parentPort, workerData } from 'node:worker_threads'
import { type BacktestInput, runBacktest } from '#domain/staking/backtest/run-backtest.ts'
import { Fault } from '../../fault.ts'
import type { ThreadAnswer } from './backtest-in-thread.ts'

/** `backtestInThread` passes exactly this type. */
const toInput = (data: unknown): BacktestInput => data as BacktestInput

parentPort?.postMessage(answer(toInput(workerData)))

/** A Fault is posted as data and thrown again by the caller, because an uncaught error would end the thread. */
function answer(input: BacktestInput): ThreadAnswer {
  try {
    return { kind: 'done', backtest: runBacktest(input) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, message, details, fix, next } = error
    return { kind: 'refused', code, message, details, fix, next }
  }
}
