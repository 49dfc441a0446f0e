import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp } from '../support/test-app.ts'
import { ERAS } from './mcp-client.ts'

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
)

for (const revision of Object.keys(ERAS)) {
  test(`${revision}: the official conformance suite has no failures except the expected ones`, async () => {
    await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
    await using folder = await tempFolder()
    const baseline = join(import.meta.dirname, `expected-failures-${revision}.yml`)
    const args = ['server', '--url', `${app.url}/mcp`, '--requirements', revision]
    const suite = spawn(process.execPath, [SUITE, ...args, '--expected-failures', baseline], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output, status] = await Promise.all([
      text(suite.stdout),
      new Promise((resolve) => suite.once('exit', resolve)),
    ])
    assert.equal(status, 0, output.slice(-6_000))
    assert.match(output, /Total: \d{2,3} passed/)
  })
}
