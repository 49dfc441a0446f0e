import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { hasEnded } from '../../../server/test/support/server-process.ts'
import { type ProcessOutput, readOutput } from '../../process-output.ts'
import { type Buildah, quoted } from './buildah.ts'

const execute = promisify(execFile)

/** The runtime configuration of the image. */
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

export type Container = AsyncDisposable &
  ProcessOutput & {
    /** Runs a program in the container as the same user; resolves with its output and exit code. */
    execute(...command: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
    /** Sends the signal to process 1; resolves with its exit code. */
    end(signal: NodeJS.Signals): Promise<number | string>
  }

/**
 * Runs the image as the Kubernetes manifest specifies: as its user, with a read-only root folder, no capabilities, as
 * process 1 of its own PID namespace, and with 64 MB for data. `volumes` are folders of this machine by their place in
 * the container; as with Docker, an empty one gets the owner of the folder that it replaces.
 */
export async function startContainer(
  buildah: Buildah,
  image: string,
  env: Readonly<Record<string, string>>,
  volumes: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const config = await configOf(buildah, image)
  const name = await buildah.run('from', '--pull-never', image)
  const limited = [
    'setpriv --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs',
    `env -i ${[...config.Env, ...Object.entries(env).map((entry) => entry.join('='))].map(quoted).join(' ')}`,
  ].join(' ')
  const started = `cd ${quoted(config.WorkingDir)} && exec ${limited} ${config.Cmd.map(quoted).join(' ')}`
  const mounted = Object.entries(volumes).flatMap(([place, folder]) => [
    `chown --reference=$root${place} ${quoted(folder)}`,
    `mount --bind ${quoted(folder)} $root${place}`,
  ])
  const child = buildah.spawnShell(`
    root=$($BUILDAH mount ${name})
    mount --bind $root $root
    ${mounted.join('\n    ')}
    mount -t tmpfs -o uid=1000,gid=1000,mode=0700,size=64m data $root/data
    mount -t proc proc $root/proc
    mount --bind /dev $root/dev
    mount -o remount,bind,ro $root
    exec chroot $root sh -c ${quoted(started)}`)
  const output = readOutput(child)
  return {
    ...output,
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
      return output.ended
    },
    async [Symbol.asyncDispose]() {
      // The kernel clears the parent-death signal when setpriv drops privileges, so process 1 is killed explicitly.
      if (!hasEnded(child)) process.kill(await firstProcess(child.pid), 'SIGKILL')
      await output.ended
      await buildah.run('rm', name)
    },
  }
}

/** The host's id of process 1 in the namespace: the only child of `unshare`. */
async function firstProcess(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const [first] = children.trim().split(' ')
  assert(first, 'the container runs')
  return Number(first)
}
