import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner } from './banner.ts'
import { readConfig } from './config.ts'

function bannerOf(url: string, env: Readonly<Record<string, string>>): string {
  const read = readConfig(env)
  assert(read.kind === 'ok')
  return banner(url, read.config, '0.1.0')
}

test('the banner contains the network, and a first command for this service’s URL', () => {
  const own = bannerOf('http://127.0.0.1:3000', {})
  assert.match(own, /Network: sandbox/)
  assert.match(own, /Next +npm run stakewright -- key --save {3}/)
  const other = bannerOf('http://127.0.0.1:4000', { PORT: '4000' })
  assert.match(other, /Next +npm run stakewright -- key --save --url http:\/\/127\.0\.0\.1:4000 /)
  const chain = bannerOf('http://127.0.0.1:3000', { NETWORK: 'ika', SUI_RPC_URLS: 'https://node.example' })
  assert.match(chain, /Network: ika/)
  assert(!chain.includes('key --save'))
})

test('the banner shows localhost instead of a wildcard address', () => {
  for (const wildcard of ['http://0.0.0.0:3000', 'http://[::]:3000']) {
    assert.match(bannerOf(wildcard, {}), /Web app +http:\/\/localhost:3000\n/)
  }
})
