import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Logger } from '#ports/logger.ts'
import packageJson from '../package.json' with { type: 'json' }
import { followingClock } from './adapters/system/following-clock.ts'
import { jsonLogger } from './adapters/system/logs/json-logger.ts'
import { readableLines } from './adapters/system/logs/readable-lines.ts'
import { openStandardOutput, type StandardOutput } from './adapters/system/logs/standard-output.ts'
import { prometheusMeters } from './adapters/system/metrics/prometheus-meters.ts'
import { systemClock } from './adapters/system/system-clock.ts'
import { banner } from './banner.ts'
import { type Config, describeConfig, helpText, readConfig } from './config.ts'
import { Fault } from './fault.ts'
import { waitForStore } from './wait-for-store.ts'
import { openApp } from './wiring/app.ts'
import { type WorkerChannel, workerMeters } from './worker-meters.ts'
import { startWorkers } from './workers.ts'

/** Grace of requests in flight after a signal. */
const GRACE_MS = 10_500
/** Time for the process to end after everything is closed. */
const END_MS = 3_000
/** A worker that has not ended by then is killed; the supervisor ends before `ops/compose.yaml` kills both. */
const STOP_WORKERS_MS = GRACE_MS + END_MS

const say = (text: string) => process.stderr.write(`${text}\n`)

function parseArguments() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      'print-config': { type: 'boolean' },
      // Marks a worker process; the supervisor sets it.
      worker: { type: 'boolean', default: false },
    },
  })
  return values
}

function readArguments() {
  try {
    return parseArguments()
  } catch {
    // The arguments are not repeated, because one may be a secret that belongs in a variable.
    say('The service takes --help and --print-config and nothing else: its settings are variables.')
    say('Run with --help to see every variable.')
    return undefined
  }
}

function configure(): Config | undefined {
  const read = readConfig()
  if (read.kind === 'ok') return read.config
  say('The configuration is wrong:')
  for (const problem of read.problems) say(`  - ${problem}`)
  say('Run with --help to see every variable.')
  return undefined
}

/** Programs read JSON; a person at a terminal reads text. */
const logLines = (output: StandardOutput) =>
  process.stdout.isTTY ? readableLines(output, process.stdout.hasColors()) : output

/** Resolves on a signal, or in a worker when the supervisor is gone. */
const untilStopRequested = () =>
  new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
      process.once(signal, () => resolve(signal))
    }
    // The listener on the channel of a worker, or of `node --watch`, must not keep an idle process alive.
    process.channel?.unref()
  })

const workerChannel: WorkerChannel = {
  send: (message) => process.send?.(message),
  onMessage: (listener) => process.on('message', listener),
}

function warnOfMisspelt({ misspelt }: Config, logger: Logger): void {
  for (const { name, meant } of misspelt)
    logger.warn('an unknown variable has no effect', { variable: name, meant })
}

async function superviseWorkers(config: Config, onReady: () => void): Promise<void> {
  const stopped = untilStopRequested()
  using output = openStandardOutput()
  const logger = jsonLogger({ level: config.logLevel, output: logLines(output), hide: config.hide })
  warnOfMisspelt(config, logger)
  const workers = startWorkers({
    program: fileURLToPath(import.meta.url),
    count: config.workers,
    stopWithinMs: STOP_WORKERS_MS,
    logger,
  })
  try {
    const url = await Promise.race([workers.url, stopped.then(() => undefined)])
    if (url === undefined) return
    onReady()
    say(banner(url, config, packageJson.version))
    await stopped
  } finally {
    await workers.stop()
  }
}

async function serve(config: Config, isWorker: boolean, onReady: () => void): Promise<void> {
  const stopped = untilStopRequested()
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  using output = openStandardOutput()
  const logger = jsonLogger({ level: config.logLevel, output: logLines(output), hide: config.hide })
  if (!isWorker) warnOfMisspelt(config, logger)
  const ownMeters = prometheusMeters({ ofProcess: process })
  const meters = isWorker ? workerMeters(ownMeters, workerChannel) : ownMeters
  // Unhandled rejections arrive here, too.
  process.on('uncaughtException', (error) => {
    logger.error('uncaught exception', error)
    output[Symbol.dispose]()
    process.exit(1)
  })
  const runtime = {
    clock: config.database.kind === 'postgres' ? followingClock({ own: systemClock }) : systemClock,
    logger,
    meters,
    random: Math.random,
    version: packageJson.version,
    isOneOfMany: isWorker,
  }
  await using app = await waitForStore(() => openApp(config, runtime), { logger, stopping: stopping.signal })
  if (!app) return
  const { url } = await app.listen()
  onReady()
  if (isWorker) workerChannel.send({ kind: 'listening', url })
  else say(banner(url, config, packageJson.version))
  app.prepareWeb().catch((error) => logger.error('the web app cannot be served', error))
  const signal = await stopped
  logger.info('stopping', { signal })
  await app.stop(GRACE_MS)
}

async function main(): Promise<number> {
  const asked = readArguments()
  if (!asked) return 2
  if (asked.help) {
    process.stdout.write(helpText())
    return 0
  }
  const config = configure()
  if (!config) return 2
  if (asked['print-config']) {
    process.stdout.write(describeConfig(config))
    return 0
  }
  let isReady = false
  const onReady = () => {
    isReady = true
  }
  try {
    if (config.workers > 1 && !asked.worker) await superviseWorkers(config, onReady)
    else await serve(config, asked.worker, onReady)
    return 0
  } catch (error) {
    const what = isReady ? 'Stakewright has stopped because of an error.' : 'Stakewright cannot start.'
    say(config.hide(`${what} ${describeError(error)}`))
    return 1
  }
}

/** A Fault has a message for the operator; any other error is a bug and is shown with its stack. */
function describeError(error: unknown): string {
  // The first error; closing resources may have failed because of it.
  if (error instanceof SuppressedError) return describeError(error.suppressed)
  if (error instanceof Fault) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

process.exitCode = await main()
// A system call that never returns, such as a write to a lost network share, blocks even `process.exit`.
setTimeout(() => {
  say('A system call does not return. Everything is closed, so the process kills itself.')
  process.kill(process.pid, 'SIGKILL')
}, END_MS).unref()
