import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { installOnce } from '../../../test/packages/cached-install.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp } from '../support/test-app.ts'

/** Pinned: newer versions may need another Node or other options. */
const VERSION = '2.12.0'

test('the MCP Inspector lists the tools, calls one, and shows a refusal', async (context) => {
  const installed = await installOnce('@modelcontextprotocol/inspector', VERSION)
  if ('why' in installed) return context.skip(installed.why)
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  await using folder = await tempFolder()
  const inspect = async (...args: readonly string[]) => {
    const program = join(installed.folder, 'clients', 'launcher', 'build', 'index.js')
    const server = ['--cli', `${app.url}/mcp`, '--transport', 'http', '--format', 'json']
    const child = spawn(process.execPath, [program, ...server, '--method', ...args], {
      cwd: folder.path,
      env: { HOME: folder.path, PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.once('exit', resolve)),
    ])
    return { code, stdout, stderr }
  }
  const listed = await inspect('tools/list')
  assert.equal(listed.code, 0, listed.stderr)
  assert(resultOf(listed.stdout).tools.some(({ name }: { name: string }) => name === 'allocate'))

  const called = await inspect('tools/call', '--tool-name', 'epoch')
  assert.equal(called.code, 0, called.stderr)
  assert.equal(resultOf(called.stdout).structuredContent.epoch, 91)

  const refused = await inspect('tools/call', '--tool-name', 'allocate', '--tool-arg', 'amount=1000000000000')
  assert.equal(refused.code, TOOL_ERROR, refused.stderr)
  assert.match(refused.stdout, /sandbox_key/)
})

/** The Inspector's exit code for a tool that answered with an error. */
const TOOL_ERROR = 5

function resultOf(stdout: string) {
  const printed = JSON.parse(stdout)
  return printed.result ?? printed
}
