import assert from 'node:assert/strict'
import { once } from 'node:events'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { changeProfile, readProfiles } from '../src/profiles.ts'

const PROFILES = new URL('../src/profiles.ts', import.meta.url).href

test('keys that are saved at the same time are all kept', async () => {
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
  const [writers, each] = [4, 25]
  const work = (writer: number) => `
    import(${JSON.stringify(PROFILES)}).then(({ changeProfile }) => {
      for (let at = 0; at < ${each}; at += 1)
        changeProfile(${JSON.stringify(env)}, 'p${writer}-' + at, { apiKey: 'stk_' + at })
    })`
  const threads = Array.from({ length: writers }, (_, writer) => new Worker(work(writer), { eval: true }))
  for (const [code] of await Promise.all(threads.map((thread) => once(thread, 'exit')))) assert.equal(code, 0)
  assert.equal(Object.keys(readProfiles(env)).length, writers * each)
})

test('a lock that a process left behind when it died is taken over', async () => {
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
  const lock = `${env.STAKEWRIGHT_PROFILES}.lock`
  writeFileSync(lock, '')
  utimesSync(lock, 0, 0)
  changeProfile(env, 'work', { apiKey: 'stk_1' })
  assert.deepEqual(Object.keys(readProfiles(env)), ['work'])
})
