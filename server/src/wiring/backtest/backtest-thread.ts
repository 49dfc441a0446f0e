import { type BacktestInput, runBacktest } from '#domain/staking/backtest/run-backtest.ts'
import { answerMessages } from '../threads/thread-answer.ts'

answerMessages((input: BacktestInput) => runBacktest(input))
