import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { signIn } from '../../server/test/support/registered-agent.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { underLock } from '../src/file-lock.ts'
import { changeProfile, readProfiles } from '../src/profiles.ts'
import { serve } from './support/serve.ts'
import { type } from './typed-line.ts'

const PROFILES = new URL('../src/profiles.ts', import.meta.url).href

test('concurrent writers of the profiles lose no key', async () => {
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

test('a lock that a dead process left behind is taken over', async () => {
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
  const lock = `${env.STAKEWRIGHT_PROFILES}.lock`
  const leave = (path: string) => {
    writeFileSync(path, '')
    utimesSync(path, 0, 0)
  }
  leave(lock)
  changeProfile(env, 'work', { apiKey: 'stk_1' })
  assert.deepEqual(Object.keys(readProfiles(env)), ['work'])
  // A process may also die while it takes over a lock.
  leave(lock)
  leave(`${lock}.takeover`)
  changeProfile(env, 'play', { apiKey: 'stk_2' })
  assert.deepEqual(Object.keys(readProfiles(env)), ['work', 'play'])
  assert.deepEqual(readdirSync(folder.path), ['profiles.json'])
})

test('a process that held its lock for too long leaves the lock of the next holder in place', async () => {
  await using folder = await tempFolder()
  const file = join(folder.path, 'profiles.json')
  underLock(file, () => writeFileSync(`${file}.lock`, 'of the next holder'))
  assert.equal(readFileSync(`${file}.lock`, 'utf8'), 'of the next holder')
})

/** The options that the `fix` of a refusal says to give, with `bot` for NAME. */
const advised = (fix = ''): string =>
  (/^Give ((?:--[a-z-]+ \w+ ?)+)/.exec(fix)?.[1] ?? '').replace('NAME', 'bot').trim()

test('a signed-in user who follows the advice of refusals saves new keys beside an old one, and loses none', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json'), STAKEWRIGHT_URL: app.url }
  assert.equal((await type('key --save', { env })).code, 0)
  changeProfile(env, 'default', { token: await signIn(app, 'ann@example.com') })
  const { default: before } = readProfiles(env)

  const inUse = (await type('keys register bot --save', { env })).json().error
  assert.equal(inUse.code, 'profile_in_use')
  const saved = await type(`keys register bot ${advised(inUse.fix)}`, { env })
  assert.equal(saved.code, 0, saved.stdout)
  const { id, keyPrefix, apiKey } = saved.json().data.data
  const { default: kept, bot } = readProfiles(env)
  assert.deepEqual([kept, bot?.url], [before, app.url])
  assert(bot?.apiKey?.startsWith(keyPrefix) && apiKey === `${keyPrefix}…`, apiKey)
  assert.equal((await type('usage --profile bot', { env })).code, 0)

  const noToken = (await type('keys register other --save --profile second', { env })).json().error
  assert.equal(noToken.code, 'unauthorized')
  assert.equal((await type(`keys register other ${advised(noToken.fix)}`, { env })).code, 0)
  const rotated = await type(`keys rotate ${id} --save-as third`, { env })
  const named = await type(`create-key ${id} --name spare --save-as fourth`, { env })
  const profiles = readProfiles(env)
  assert.deepEqual(Object.keys(profiles).toSorted(), ['bot', 'default', 'fourth', 'second', 'third'])
  assert.deepEqual(profiles['default'], before)
  for (const [name, { stdout, json }] of [
    ['third', rotated],
    ['fourth', named],
  ] as const) {
    const key = profiles[name]?.apiKey ?? ''
    assert.equal(json().data.data.apiKey, `${key.slice(0, 12)}…`, name)
    assert(!stdout.includes(key), 'a saved key is not printed')
  }
  const again = (await type(`keys rotate ${id} --save-as bot`, { env })).json().error
  assert.match(again.fix ?? '', /--replace .* if it is the key that you rotate/)
})

test('a key or token that is saved is not printed, on a terminal neither', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json'), STAKEWRIGHT_URL: app.url }
  const made = await type('key --save', { env, isTerminal: true })
  const { apiKey = '' } = readProfiles(env)['default'] ?? {}
  assert.match(apiKey, /^stk_\w{20}/)
  assert(made.stdout.startsWith(`${apiKey.slice(0, 12)}…`), made.stdout)
  assert.match(made.stderr, /Saved in the profile "default"/)
  assert(!`${made.stdout}${made.stderr}`.includes(apiKey))
  const shown = await type('key', { env })
  assert.match(shown.json().data.data.apiKey, /^stk_\w{20}/)
})

test('an answer without its key is printed, and nothing is saved', async () => {
  await using folder = await tempFolder()
  await using service = await serve((request, response) => {
    request.resume()
    response
      .writeHead(201, { 'content-type': 'application/json' })
      .end('{"data":{"id":"agt_1","rateLimits":{"rpm":1,"rpd":1}}}')
  })
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json'), STAKEWRIGHT_URL: service.url }
  const { stdout, json } = await type('key --save', { env })
  assert.equal(json().error.code, 'not_saved', stdout)
  assert.match(json().error.message, /the answer has no key or token/)
  assert.equal(json().data.data.id, 'agt_1')
  assert.deepEqual(readProfiles(env), {})
})

test('5: an unknown profile cannot be removed, and the fix has the known ones', async () => {
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
  const removed = async () => (await type('profile remove nope', { env })).json().error
  assert.match((await removed()).fix ?? '', /nothing has to be removed/)
  changeProfile(env, 'work', { url: 'http://127.0.0.1:9' })
  const { code, fix } = await removed()
  assert.deepEqual([code, fix], ['not_found', 'There are: work.'])
})

test('a variable that is set to nothing counts as not set', async () => {
  await using folder = await tempFolder()
  const url = 'http://127.0.0.1:9'
  const blank = { STAKEWRIGHT_PROFILES: '', STAKEWRIGHT_PROFILE: '', STAKEWRIGHT_URL: ' ', PORT: '' }
  const env = { ...blank, XDG_CONFIG_HOME: folder.path }
  const asked = async () => (await type('epoch --dry-run', { env })).json().data.url
  assert.equal(await asked(), 'http://127.0.0.1:3000/api/v1/staking/epoch')
  assert.equal((await type(`profile set default --url ${url}`, { env })).code, 0)
  assert.deepEqual(readdirSync(join(folder.path, 'stakewright')), ['profiles.json'])
  assert.equal(await asked(), `${url}/api/v1/staking/epoch`)
})

test('3: without a token the error names both ways to sign in, by mail and by wallet, for the given profile', async () => {
  await using folder = await tempFolder()
  const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
  changeProfile(env, 'work', { url: 'http://127.0.0.1:9' })
  const { code, json } = await type('keys --profile work', { env })
  assert.equal(code, 3)
  const fix = json().error.fix ?? ''
  assert.match(fix, /sign-in token EMAIL CODE --save --profile work`/)
  assert.match(fix, /wallet-challenge --address .*sign-in token --address .* --save --profile work`/)
})
