import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../test/support/silent-logger.ts'
import { prometheusMeters } from '../adapters/system/metrics/prometheus-meters.ts'
import { openJobs } from './runner.ts'

const needs = { logger: silentLogger, meters: prometheusMeters({ ofProcess: false }), isLeader: () => true }

/** A job whose runs end when the test tells them to. */
function heldJob() {
  const runs: PromiseWithResolvers<void>[] = []
  const job = {
    name: 'held',
    everyMs: 3_600_000,
    deadlineMs: 3_600_000,
    run: () => {
      const held = Promise.withResolvers<void>()
      runs.push(held)
      return held.promise
    },
  }
  return { job, runs }
}

test('calls of runNow during a run share one later run', async () => {
  const { job, runs } = heldJob()
  await using jobs = openJobs([job], needs)
  const first = jobs.runNow('held')
  const [second, third] = [jobs.runNow('held'), jobs.runNow('held')]
  assert.equal(runs.length, 1)
  runs[0]?.resolve()
  await first
  await new Promise(setImmediate)
  assert.equal(runs.length, 2)
  runs[1]?.resolve()
  await Promise.all([second, third])
  assert.equal(runs.length, 2)
})

test('a failed run rejects its callers, and the next run starts nevertheless', async () => {
  const { job, runs } = heldJob()
  await using jobs = openJobs([job], needs)
  const first = jobs.runNow('held')
  const second = jobs.runNow('held')
  runs[0]?.reject(new Error('broken'))
  await assert.rejects(first, /broken/)
  await new Promise(setImmediate)
  runs[1]?.resolve()
  await second
})

test('a run that ignores its deadline rejects its callers, is counted and logged once, and never overlaps the next', async () => {
  const { job, runs } = heldJob()
  const { logger, events } = listedEvents()
  const meters = prometheusMeters({ ofProcess: false })
  await using jobs = openJobs([{ ...job, everyMs: 1, deadlineMs: 1 }], { ...needs, logger, meters })
  const keepsAlive = setInterval(() => {}, 1_000)
  jobs.start()
  await assert.rejects(jobs.runNow('held'), /deadline of 1 ms/)
  await assert.rejects(jobs.runNow('held'), /deadline of 1 ms/)
  assert.equal(runs.length, 1)
  assert.deepEqual(events, ['job failed'])
  assert.match((await meters.expose()).text, /_count\{task="held",outcome="late"\} 1/)
  runs[0]?.resolve()
  while (runs.length < 2) await new Promise(setImmediate)
  clearInterval(keepsAlive)
})

test('a job that ignores its signal does not block the stop of the service', async () => {
  const { job, runs } = heldJob()
  const { logger, events } = listedEvents()
  const jobs = openJobs([job], { ...needs, logger })
  const waits = assert.rejects(jobs.runNow('held'), /deadline/)
  await jobs[Symbol.asyncDispose]()
  await waits
  assert.deepEqual(events, ['a job did not end before the stop'])
  runs[0]?.resolve()
})

test('a job for the leader runs on its timer only while this instance is the leader; other jobs always do', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ran: string[] = []
  const job = (name: string, isForLeader: boolean) => ({
    name,
    isForLeader,
    everyMs: 1_000,
    deadlineMs: 1_000,
    run: async () => void ran.push(name),
  })
  let isLeader = false
  const jobs = [job('of the leader', true), job('of each instance', false)]
  await using runner = openJobs(jobs, { ...needs, isLeader: () => isLeader })
  runner.start()
  const ranAfterASecond = async () => {
    ran.length = 0
    t.mock.timers.tick(1_000)
    await new Promise(setImmediate)
    return [...ran]
  }
  assert.deepEqual(await ranAfterASecond(), ['of each instance'])
  isLeader = true
  assert.deepEqual(await ranAfterASecond(), ['of the leader', 'of each instance'])
  isLeader = false
  assert.deepEqual(await ranAfterASecond(), ['of each instance'])
})

function listedEvents() {
  const events: string[] = []
  const note = (event: string) => void events.push(event)
  return { events, logger: { ...silentLogger, warn: note, error: note } }
}
