import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerFile, startBare } from './contenders/bare-contender.ts'
import { expressDatabase, startExpress } from './contenders/express-contender.ts'
import { startOn } from './contenders/stakewright-contender.ts'
import { startStores } from './contenders/store-servers.ts'
import { metadataRequests, registerAgents } from './support/agent-keys.ts'
import { compare, type Figures, medianOf, ratioOf } from './support/compare.ts'

const OURS = 'stakewright, embedded'
const THREE = 'express, three limits'
const ONE = 'express, one limit'

/**
 * Compares the whole hot path on the embedded store with a usual express stack. The stack runs with three limits, like
 * this service (per address, per key and minute, per key and day), and with only one. Neither variant has a request log
 * or a global limit.
 */
export async function benchExpress(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const stores = opened.use(await startStores())
  const ours = opened.use(await startOn(OURS, join(folder, 'data')))
  const keys = await registerAgents(ours.port)
  const request = metadataRequests(keys)
  const body = await answerFile(folder, ours.port, keys[0] ?? '')
  const databaseUrl = await expressDatabase(stores, keys)
  const express = { databaseUrl, redisUrl: stores.redisUrl, body }
  const three = opened.use(await startExpress(THREE, { ...express, limits: 'three' }))
  const one = opened.use(await startExpress(ONE, { ...express, limits: 'one' }))
  const bare = opened.use(await startBare(body))
  const contenders = [ours, three, one, bare]
  const rounds = await compare(contenders.map((contender) => ({ contender, request, expectStatus: 200 })))
  printComparison(rounds)
}

function printComparison(rounds: ReadonlyMap<string, readonly Figures[]>): void {
  const ours = rounds.get(OURS) ?? []
  console.log(
    '\nGET …/agent/metadata: key, quota and audit durable before the answer; 256 keys, 64 connections',
  )
  for (const [name, figures] of rounds) {
    const ratios =
      name === OURS ? '' : `; stakewright does ${ratioOf(ours, figures, 'perCpuSecond')} × as many`
    const perCpuSecond = Math.round(medianOf(figures, 'perCpuSecond'))
    const p99 = medianOf(figures, 'p99Ms').toFixed(1)
    console.log(`  ${name.padEnd(22)} ${perCpuSecond} requests per CPU second, p99 ${p99} ms${ratios}`)
  }
  console.log(
    '  (processor time of the service alone: what Postgres and Redis use for express is not counted)',
  )
}
