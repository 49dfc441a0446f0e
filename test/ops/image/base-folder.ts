import { execFileSync } from 'node:child_process'
import { appendFile, chown, copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackedPackages } from '../../../server/test/support/services/debian-program.ts'

/** The Debian packages in `node:26-bookworm-slim` that our image uses. */
const PACKAGES = [
  'base-files',
  'bash',
  'coreutils',
  'dash',
  'libatomic1',
  'libc6',
  'libc-bin',
  'libstdc++6',
  'util-linux',
] as const
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt'
const OWNER = 1000

/** A root folder like that of the base image: Debian's programs, the running Node, npm and the user `node`. */
export const baseFolder = (): Promise<string> =>
  unpackedPackages(`node-base-${process.versions.node}`, PACKAGES, async (root) => {
    const local = join(root, 'usr', 'local')
    for (const folder of ['bin', 'etc', 'lib/node_modules'])
      await mkdir(join(local, folder), { recursive: true })
    await copyFile(process.execPath, join(local, 'bin', 'node'))
    await cp(npmFolder(), join(local, 'lib', 'node_modules', 'npm'), { recursive: true, dereference: true })
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'))
    await writeFile(join(local, 'etc', 'npmrc'), npmSettings())
    await mkdir(join(root, 'etc', 'ssl', 'certs'), { recursive: true })
    await copyFile(join('/', CERTIFICATES), join(root, CERTIFICATES))
    await appendFile(
      join(root, 'etc', 'passwd'),
      `root:x:0:0::/root:/bin/bash\nnode:x:${OWNER}:${OWNER}::/home/node:/bin/bash\n`,
    )
    await appendFile(join(root, 'etc', 'group'), `root:x:0:\nnode:x:${OWNER}:\n`)
    for (const folder of ['home/node', 'tmp', 'proc', 'sys', 'dev'])
      await mkdir(join(root, folder), { recursive: true })
    await chown(join(root, 'home', 'node'), OWNER, OWNER)
  })

const npm = (...words: readonly string[]) =>
  execFileSync('npm', words, { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

const npmFolder = () => join(npm('root', '--global'), 'npm')

/** The registry and certificates of this machine, so that npm in the image works where npm here does. */
const npmSettings = () => `cafile=/${CERTIFICATES}\nregistry=${npm('config', 'get', 'registry')}\n`
