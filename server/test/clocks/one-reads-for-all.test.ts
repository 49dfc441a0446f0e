import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../src/durations.ts'
import { startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { ikaWorld } from '../fake-full-node/ika-world.ts'
import { livingWorld, timesOfNow } from '../fake-full-node/living-world.ts'
import { sampleNetwork } from '../fake-full-node/sample-network.ts'
import { SECRETS } from '../scale/support/admin-token.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startFakedService } from './faked-service.ts'

const TIMES = timesOfNow(DAY_MS)

async function epochAt(url: string) {
  const answer = await fetch(`${url}/api/v1/staking/epoch`)
  return (await answer.json()) as { epoch?: number; dataAgeSeconds?: number }
}

test('of two instances whose clocks are off by days, one reads the chain for both, and both report the true age', async () => {
  await using folder = await tempFolder()
  await using database = await migratedDatabase()
  const worldOf = (epoch: number, startedAt: number) =>
    livingWorld(ikaWorld({ ...sampleNetwork(TIMES), epoch, startedAt }))
  await using node = await startFakeFullNode(worldOf(40, TIMES.startedAt - DAY_MS))
  const env = {
    ...SECRETS,
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    NETWORK: 'ika',
    SUI_RPC_URLS: node.url,
    REFRESH_MS: '30000',
  }
  await using reader = await startFakedService('+2d', env)
  await using other = await startFakedService('-3d', env)
  const read = node.calls.length
  await other.runJob('watch-network')
  assert.equal(node.calls.length, read)
  assert.equal((await epochAt(other.url)).epoch, 40)

  node.world = worldOf(41, TIMES.startedAt)
  await reader.runJob('watch-network')
  const readAgain = node.calls.length
  assert(readAgain > read)
  await other.runJob('watch-network')
  assert.equal(node.calls.length, readAgain)
  for (const { url } of [reader, other]) {
    const { epoch, dataAgeSeconds } = await epochAt(url)
    assert.equal(epoch, 41)
    assert(dataAgeSeconds !== undefined && dataAgeSeconds < 30, `${dataAgeSeconds} s`)
  }
})
