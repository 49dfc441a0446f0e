import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Buildah, quoted } from './buildah.ts'

const execute = promisify(execFile)

/** What the image says about how it is run. */
export type ImageConfig = {
  readonly User: string
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export async function configOf(buildah: Buildah, image: string): Promise<ImageConfig> {
  const told: { Docker: { config: ImageConfig } } = JSON.parse(
    await buildah.run('inspect', '--type', 'image', image),
  )
  return told.Docker.config
}

export type Container = AsyncDisposable & {
  output(): string
  /** Runs a program in it, as the same user; resolves with what it has written and its exit code. */
  execute(...command: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  /** Resolves once it has written this; rejects when it ends before. */
  untilSaid(what: RegExp): Promise<RegExpExecArray>
  /** To process 1; resolves with its exit code. */
  end(signal: NodeJS.Signals): Promise<number>
}

/**
 * Runs the image as Kubernetes' manifest asks for: its user, a root folder that cannot be written to, no capability at
 * all, process 1 of its own namespace, and 64 MB for data.
 */
export async function startContainer(
  buildah: Buildah,
  image: string,
  env: Readonly<Record<string, string>>,
): Promise<Container> {
  const config = await configOf(buildah, image)
  const name = await buildah.run('from', '--pull-never', image)
  const limited = [
    'setpriv --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs',
    `env -i ${[...config.Env, ...Object.entries(env).map((entry) => entry.join('='))].map(quoted).join(' ')}`,
  ].join(' ')
  const started = `cd ${quoted(config.WorkingDir)} && exec ${limited} ${config.Cmd.map(quoted).join(' ')}`
  const child = buildah.spawnShell(`
    root=$($BUILDAH mount ${name})
    mount --bind $root $root
    mount -t tmpfs -o uid=1000,gid=1000,mode=0700,size=64m data $root/data
    mount -t proc proc $root/proc
    mount --bind /dev $root/dev
    mount -o remount,bind,ro $root
    exec chroot $root sh -c ${quoted(started)}`)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close').then(([code]) => Number(code))
  return {
    output: () => text,
    untilSaid: (what) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = what.exec(text)
          if (found) resolve(found)
        }
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', look)
        look()
        ended.then((code) => reject(new Error(`it ended with ${code}: ${text}`)))
      }),
    async execute(...command) {
      const first = String(await firstProcess(child.pid))
      const inside = `cd ${quoted(config.WorkingDir)} && exec ${limited} ${command.map(quoted).join(' ')}`
      const args = ['--target', first, '--mount', '--pid', '--root', '--wd', 'sh', '-c', inside]
      return execute('nsenter', args).then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
      )
    },
    async end(signal) {
      process.kill(await firstProcess(child.pid), signal)
      return ended
    },
    async [Symbol.asyncDispose]() {
      // Whoever has given up its rights does not end with its parent.
      if (child.exitCode === null) process.kill(await firstProcess(child.pid), 'SIGKILL')
      await ended
      await buildah.run('rm', name)
    },
  }
}

/** Process 1 of the namespace is the only child of the program that made it. */
async function firstProcess(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const [first] = children.trim().split(' ')
  assert(first, 'the container runs')
  return Number(first)
}
