import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { LIMITS } from '@stakewright/contract'
import { build } from 'esbuild'
import packageJson from '../../package.json' with { type: 'json' }
import { packPackages } from '../../scripts/packages/pack-packages.ts'
import { connectStdio } from '../../server/test/mcp/mcp-client.ts'
import { stakeByTools } from '../../server/test/mcp/stake-by-tools.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { type ServiceProcess, startService } from '../e2e/service-process.ts'
import { runsAll } from '../runs-all.ts'
import { type CommandLine, runEveryCommand } from './cli-commands.ts'
import { nodeOf } from './node-versions.ts'
import { installInto } from './npm-project.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The oldest that the packages promise and the newest, and those between. */
const NODES = runsAll() ? [20, 22, 24, 26] : [20, 26]
/** The bundle size of the client without schemas, half of it routes. With zod it would be more than ten times as large. */
const MAX_BROWSER_BYTES = 14_000
/** Not published: the operator's commands import it dynamically and say what to do if it is missing. */
const SERVICE = '@stakewright/server'
const run = promisify(execFile)

/** Packing, installing and running four versions of Node take minutes on a busy machine. */
const PATIENCE = { timeout: 900_000 }

suite('the packed packages, installed into an empty project', PATIENCE, () => {
  const opened = new AsyncDisposableStack()
  let project: string
  let tarballs: readonly string[]
  let dataFolder: string
  let service: ServiceProcess
  /** A compile cache, because the command line is started about a hundred times. */
  const compiled = () => ({ NODE_COMPILE_CACHE: join(project, 'compiled') })

  before(async () => {
    project = opened.use(await tempFolder()).path
    tarballs = await packPackages(opened.use(await tempFolder()).path)
    await installInto(project, tarballs)
    await cp(join(import.meta.dirname, 'programs'), project, { recursive: true })
    dataFolder = opened.use(await tempFolder()).path
    service = opened.use(await startService({ DATA_DIR: dataFolder, LIMIT_IP_RPM: '1000' }))
  })
  after(() => opened.disposeAsync())

  for (const major of NODES) {
    test(`call a running service on Node ${major}`, async (context) => {
      const node = await nodeOf(major)
      if ('why' in node) return context.skip(node.why)
      const called = await run(node.program, ['call-service.mjs', service.url], { cwd: project })
      const { version, ...rest } = JSON.parse(called.stdout)
      assert(version.startsWith(`v${major}.`), version)
      assert.equal(called.stderr, '')
      assert.deepEqual(rest, {
        routes: rest.routes,
        allocations: 2,
        remaining: LIMITS.sandboxKeyPerMinute - 2,
        refused: 'invalid_input',
      })
    })

    test(`have a command line that runs on Node ${major}`, async (context) => {
      const node = await nodeOf(major)
      if ('why' in node) return context.skip(node.why)
      const env = { HOME: project, STAKEWRIGHT_URL: service.url, ...compiled() }
      const cli = async (...args: string[]) =>
        run(node.program, [join(project, 'node_modules', '.bin', 'stakewright'), ...args], { env }).then(
          ({ stdout }) => ({ code: 0, stdout }),
          ({ code, stdout }) => ({ code, stdout }),
        )
      assert.equal((await cli('--version')).stdout, `${packageJson.version}\n`)
      assert.match((await cli('--help')).stdout, /allocate AMOUNT/)
      assert.equal((await cli('key', '--save', '--replace')).code, 0)
      const { ok, data } = JSON.parse((await cli('allocate', '10000000000000000')).stdout)
      assert(ok && data.allocations.length > 0)
      assert.equal((await cli('tx', 'stake', '0x1', '1')).code, 2)
      const [{ validatorId: validator, amount }] = data.allocations
      const sender = `0x${'22'.repeat(32)}`
      const built = await cli('tx', 'stake', validator, amount, '--sender', sender)
      const wish = JSON.stringify({ network: 'sandbox', sender, action: 'stake', validator, amount })
      assert.equal((await cli('verify', '--input', built.stdout, '--wish', wish)).code, 0)
      const operators = await cli('admin', 'agents', '--json')
      assert.equal(operators.code, 2)
      assert.match(JSON.parse(operators.stdout).error.fix, /npm run stakewright/)
    })
  }

  test('serve MCP on the oldest Node: an agent that reads only tools gets a stake executed', async (context) => {
    const node = await nodeOf(Math.min(...NODES))
    if ('why' in node) return context.skip(node.why)
    const args = [join(project, 'node_modules', '.bin', 'stakewright'), 'mcp']
    const env = { HOME: project, STAKEWRIGHT_URL: service.url }
    await using mcp = await connectStdio({ command: node.program, args, env }, '2026-07-28')
    await stakeByTools(mcp, `0x${'33'.repeat(32)}`)
  })

  if (runsAll())
    test('have a command line whose every command works, with the documented exit codes', async () => {
      const bin = join(project, 'node_modules', '.bin', 'stakewright')
      const cli: CommandLine = async (args, { input = '', env = {} } = {}) => {
        const child = spawn(process.execPath, [bin, ...args], {
          env: { HOME: dataFolder, STAKEWRIGHT_URL: service.url, ...compiled(), ...env },
          stdio: ['pipe', 'pipe', 'inherit'],
        })
        child.stdin.end(input)
        const [stdout, code] = await Promise.all([
          text(child.stdout),
          new Promise<number>((resolve) => child.once('exit', resolve)),
        ])
        return { code, stdout }
      }
      await runEveryCommand(cli, dataFolder)
    })

  test('have types that a strict compiler accepts', async () => {
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: [],
      noEmit: true,
      skipLibCheck: false,
    }
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['typed-call.ts'] }),
    )
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch((error) => error)
    assert.equal(stdout, '')
  })

  test('have a client whose browser bundle has less than 14 kB, no zod and no Node modules', async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: "export { createClient } from '@stakewright/client'", resolveDir: project },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      write: false,
      metafile: true,
    })
    const [bundle] = outputFiles
    assert(bundle && bundle.contents.length < MAX_BROWSER_BYTES, `${bundle?.contents.length} bytes`)
    assert.deepEqual(
      Object.keys(metafile.inputs).filter((input) => input.includes('/zod/')),
      [],
    )
    const url = `data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`
    const { createClient } = await import(url)
    const { epoch } = await createClient({ baseUrl: service.url }).epoch()
    assert.equal(typeof epoch, 'number')
  })

  test('a program is one package without dependencies, with the licences of all that it bundles', async () => {
    const folder = join(project, 'node_modules', 'stakewright')
    const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    assert.equal(dependencies, undefined)
    const licences = await readFile(join(folder, 'dist', 'THIRD-PARTY.txt'), 'utf8')
    for (const name of ['zod', '@mysten/sui', '@noble/curves']) assert(licences.includes(`\n${name} `), name)
    assert.match(licences, /MIT License/)
  })

  test('contract and client install no packages but themselves and zod', async () => {
    const alone = opened.use(await tempFolder()).path
    const wanted = tarballs.filter((file) => /stakewright-(contract|client)-/.test(file))
    await installInto(alone, wanted)
    const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: alone })
    assert.deepEqual(installed.map((file) => dirname(file).replace('node_modules/', '')).sort(), [
      '@stakewright/client',
      '@stakewright/contract',
      'zod',
    ])
  })

  test('declare every package they import, and have a README and a licence', async () => {
    for (const name of [
      '@stakewright/contract',
      '@stakewright/client',
      '@stakewright/verify',
      'stakewright',
    ]) {
      const folder = join(project, 'node_modules', name)
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      const { metafile } = await build({
        entryPoints: [...entriesOf(manifest)].map((file) => join(folder, file)),
        bundle: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
        outdir: project,
        write: false,
        metafile: true,
      })
      const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
        imports
          .filter(({ external, path }) => external && !isBuiltin(path))
          .map(({ path }) => packageOf(path)),
      )
      const named = { ...manifest.dependencies, ...manifest.peerDependencies }
      for (const used of imported)
        assert(used in named || (name === 'stakewright' && used === SERVICE), `${name} imports ${used}`)
      assert.equal(manifest.private, undefined)
      assert.match(await readFile(join(folder, 'README.md'), 'utf8'), new RegExp(`^# ${name}\n`))
      assert.match(await readFile(join(folder, 'LICENSE'), 'utf8'), /Apache License/)
    }
  })
})

type Packed = {
  readonly exports?: Record<string, { default: string } | string>
  readonly bin?: Record<string, string>
}

function entriesOf({ exports = {}, bin = {} }: Packed): ReadonlySet<string> {
  const files = Object.values(exports).map((entry) => (typeof entry === 'string' ? entry : entry.default))
  return new Set([...files, ...Object.values(bin)].filter((file) => file.endsWith('.js')))
}

/** `@scope/name/file` is of the package `@scope/name`. */
const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
