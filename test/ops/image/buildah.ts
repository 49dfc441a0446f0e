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

/** Builds images and starts containers of them without an engine. */
export type Buildah = AsyncDisposable & {
  run(...args: readonly string[]): Promise<string>
  /** A shell in namespaces of its own: its mounts, and its processes, end with it. `$BUILDAH` calls buildah. */
  spawnShell(script: string): ChildProcess
}

/** `undefined` where it cannot run: it needs root, Linux, and Debian's packages. */
export async function openBuildah(): Promise<Buildah | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const found = await findProgram(['buildah'], PACKAGES, LOOK).catch(() => undefined)
  if (found === undefined || !(await mayMount())) return undefined
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await serverFolder('images', undefined))
  const policy = join(folder.path, 'policy.json')
  await writeFile(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  const home = dirname(dirname(dirname(found.command)))
  // It starts itself again without its environment, and must find the libraries that came with it: in a view of the
  // machine's own folders that nobody else has.
  const view = home === '/' ? '' : [`${home}/usr:/usr`, `${home}/lib:/usr/lib`].map(viewOf).join('')
  const program = home === '/' ? found.command : '/usr/bin/buildah'
  const buildah = `${program} --root ${folder.path}/store --runroot ${folder.path}/run`
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'overlay', BUILDAH: buildah }
  const signed = new Set(['build', 'commit'])
  const resources = opened.move()
  return {
    async run(command = '', ...args) {
      const all = [command, ...(signed.has(command) ? ['--signature-policy', policy] : []), ...args]
      const script = `set -e\n${view}exec ${buildah} ${all.map(quoted).join(' ')}`
      const options = { env, maxBuffer: MANY_BYTES, timeout: LONG_MS }
      const { stdout } = await execute('unshare', ['--mount', 'sh', '-c', script], options)
      return stdout.trim()
    },
    spawnShell: (script) =>
      spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', `set -e\n${view}${script}`],
        {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function viewOf(folders: string): string {
  const [added = '', own = ''] = folders.split(':')
  return existsSync(added) ? `mount -t overlay overlay -o lowerdir=${folders} ${own}\n` : ''
}

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const mayMount = (): Promise<boolean> =>
  execute('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).then(
    () => true,
    () => false,
  )
