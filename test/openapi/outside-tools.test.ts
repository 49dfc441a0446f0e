/** Third-party tools lint /openapi.json of a running service and generate clients from it, which then call the service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { admitAgent } from '../../server/test/support/admitted-agent.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'

const HERE = import.meta.dirname
const ROOT = join(HERE, '..', '..')
const execute = promisify(execFile)

/** Turns off redocly's telemetry and its check for updates. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** The output of both programs, which make the same calls. */
const CALLED = {
  isFound: true,
  isExcluded: true,
  sum: '9000000000000',
  problem: { error: 'invalid_input', field: 'amount' },
  incomplete: 400,
}

test('redocly lints /openapi.json without errors or warnings', async () => {
  await using app = await openTestApp()
  await using folder = await describedIn(app)
  const options = [`--config=${join(HERE, 'redocly.yaml')}`]
  await runTool(folder.path, '@redocly/cli', 'redocly', ['lint', 'openapi.json', ...options])
})

test('200: calls typed by openapi-typescript compile and are answered', async () => {
  await using app = await openTestApp()
  await using folder = await describedIn(app)
  const args = ['openapi.json', '-o', 'schema.d.ts']
  await runTool(folder.path, 'openapi-typescript', 'openapi-typescript', args)
  assert.deepEqual(await runProgram(app, folder.path, 'openapi-fetch.ts'), CALLED)
})

test('200: the client of @hey-api/openapi-ts compiles and its calls are answered', async () => {
  await using app = await openTestApp()
  await using folder = await describedIn(app)
  await runTool(folder.path, '@hey-api/openapi-ts', 'openapi-ts', ['-f', join(HERE, 'hey-api.config.mjs')])
  assert.deepEqual(await runProgram(app, folder.path, 'hey-api.ts'), CALLED)
})

/** A folder with the service's OpenAPI document and a link to the packages of the workspace. */
async function describedIn(app: TestApp) {
  const folder = await tempFolder()
  const document = await (await fetch(`${app.url}/openapi.json`)).text()
  await writeFile(join(folder.path, 'openapi.json'), document)
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'), 'junction')
  return folder
}

/** Compiles the program beside the generated code, runs it against the service and returns what it printed. */
async function runProgram(app: TestApp, folder: string, name: string): Promise<unknown> {
  const { apiKey } = await admitAgent(app)
  await cp(join(HERE, 'programs', name), join(folder, name))
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--allowImportingTsExtensions']
  const target = ['--target', 'esnext', '--module', 'nodenext', '--types', 'node', '--skipLibCheck']
  await run(join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), [...options, ...target, name], folder)
  const output = await run(name, [], folder, { BASE_URL: app.url, API_KEY: apiKey })
  return JSON.parse(output)
}

async function runTool(folder: string, name: string, command: string, args: readonly string[]) {
  const packageFile = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { bin } = createRequire(import.meta.url)(packageFile)
  await run(join(dirname(packageFile), bin[command] ?? bin), args, folder)
}

/** Runs the command and returns its output. Fails with all its output if it exits with another code than 0. */
async function run(file: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const options = { cwd, env: { ...process.env, ...OFFLINE, ...env } }
  try {
    return (await execute(process.execPath, [file, ...args], options)).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    assert.fail(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`)
  }
}
