import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { serverFolder } from '../../../server/test/support/server-process.ts'
import { findProgram } from '../../../server/test/support/services/debian-program.ts'

const execute = promisify(execFile)
const PACKAGES = ['buildah', 'golang-github-containers-common', 'golang-github-containers-image'] as const
const LOOK = { versionFlag: '--version', folders: ['usr/bin'], isDeep: true }
const LONG_MS = 600_000
const MANY_BYTES = 64 * 1024 * 1024

/** Builds images and runs containers without a daemon. */
export type Buildah = AsyncDisposable & {
  run(...args: readonly string[]): Promise<string>
  /** A shell in its own mount and PID namespaces, which end with it. `$BUILDAH` calls buildah. */
  spawnShell(script: string): ChildProcess
}

/** Undefined if buildah cannot run: it needs root, Linux, and Debian's packages. */
export async function openBuildah(): Promise<Buildah | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const found = await findProgram(['buildah'], PACKAGES, LOOK).catch(() => undefined)
  if (found === undefined || !(await mayMount())) return undefined
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await serverFolder('images', undefined))
  const policy = join(folder.path, 'policy.json')
  await writeFile(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  const home = dirname(dirname(dirname(found.command)))
  // buildah re-executes itself without its environment, so LD_LIBRARY_PATH is lost: the libraries unpacked with it are
  // overlaid on /usr in a private mount namespace.
  const overlays = home === '/' ? '' : [`${home}/usr:/usr`, `${home}/lib:/usr/lib`].map(overlayOf).join('')
  const program = home === '/' ? found.command : '/usr/bin/buildah'
  const buildah = `${program} --root ${folder.path}/store --runroot ${folder.path}/run`
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'overlay', BUILDAH: buildah }
  const signed = new Set(['build', 'commit'])
  const resources = opened.move()
  return {
    async run(command = '', ...args) {
      const all = [command, ...(signed.has(command) ? ['--signature-policy', policy] : []), ...args]
      const script = `set -e\n${overlays}exec ${buildah} ${all.map(quoted).join(' ')}`
      const options = { env, maxBuffer: MANY_BYTES, timeout: LONG_MS }
      const { stdout } = await execute('unshare', ['--mount', 'sh', '-c', script], options)
      return stdout.trim()
    },
    spawnShell: (script) =>
      spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', `set -e\n${overlays}${script}`],
        {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function overlayOf(folders: string): string {
  const [added = '', own = ''] = folders.split(':')
  return existsSync(added) ? `mount -t overlay overlay -o lowerdir=${folders} ${own}\n` : ''
}

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const mayMount = (): Promise<boolean> =>
  execute('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).then(
    () => true,
    () => false,
  )
